import { PageHead } from '../../components/page-head';

export function AgentPage() {
  return <PageHead title="Agent" />;
}
