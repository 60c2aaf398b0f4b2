import { PageHead } from '../../components/page-head';

export function HomePage() {
  return <PageHead title="Home" />;
}
