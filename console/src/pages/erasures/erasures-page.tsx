import { PageHead } from '../../components/page-head';

export function ErasuresPage() {
  return <PageHead title="Erasures" />;
}
