import { PageHead } from '../../components/page-head';

export function CapturesPage() {
  return <PageHead title="Captures" />;
}
