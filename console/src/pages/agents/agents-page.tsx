import { PageHead } from '../../components/page-head';

export function AgentsPage() {
  return <PageHead title="Agents" />;
}
