import { PageHead } from '../../components/page-head';

export function InboxPage() {
  return <PageHead title="Inbox" />;
}
