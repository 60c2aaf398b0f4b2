import { PageHead } from '../../components/page-head';

export function RecallPage() {
  return <PageHead title="Recall" />;
}
