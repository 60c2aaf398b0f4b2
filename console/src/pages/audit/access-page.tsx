import { PageHead } from '../../components/page-head';

export function AccessPage() {
  return <PageHead title="Access" />;
}
