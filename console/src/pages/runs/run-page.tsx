import { PageHead } from '../../components/page-head';

export function RunPage() {
  return <PageHead title="Run" />;
}
