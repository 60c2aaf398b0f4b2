import { PageHead } from '../../components/page-head';

export function AuditPage() {
  return <PageHead title="Audit" />;
}
