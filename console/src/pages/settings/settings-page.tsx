import { PageHead } from '../../components/page-head';

export function SettingsPage() {
  return <PageHead title="Settings" />;
}
