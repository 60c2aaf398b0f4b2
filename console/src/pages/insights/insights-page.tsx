import { PageHead } from '../../components/page-head';

export function InsightsPage() {
  return <PageHead title="Insights" />;
}
