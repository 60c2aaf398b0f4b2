import { PageHead } from '../../components/page-head';

export function RunsPage() {
  return <PageHead title="Runs" />;
}
