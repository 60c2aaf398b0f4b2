import { PageHead } from '../../components/page-head';

export function SkillsPage() {
  return <PageHead title="Skills" />;
}
