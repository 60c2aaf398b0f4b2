import { PageHead } from '../../components/page-head';

export function InsightPage() {
  return <PageHead title="Insight" />;
}
