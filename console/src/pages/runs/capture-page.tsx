import { PageHead } from '../../components/page-head';

export function CapturePage() {
  return <PageHead title="Capture" />;
}
