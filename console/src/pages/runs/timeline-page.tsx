import { PageHead } from '../../components/page-head';

export function TimelinePage() {
  return <PageHead title="Timeline" />;
}
