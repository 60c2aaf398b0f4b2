import { PageHead } from '../../components/page-head';

export function ErasurePage() {
  return <PageHead title="Erasure" />;
}
