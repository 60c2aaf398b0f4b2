import { PageHead } from '../../components/page-head';

export function SkillPage() {
  return <PageHead title="Skill" />;
}
