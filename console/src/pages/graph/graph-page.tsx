import { PageHead } from '../../components/page-head';

export function GraphPage() {
  return <PageHead title="Graph" />;
}
