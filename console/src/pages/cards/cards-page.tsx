import { PageHead } from '../../components/page-head';

export function CardsPage() {
  return <PageHead title="Cards" />;
}
