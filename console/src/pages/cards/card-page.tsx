import { PageHead } from '../../components/page-head';

export function CardPage() {
  return <PageHead title="Card" />;
}
