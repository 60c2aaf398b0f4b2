import { Badge } from '@mantine/core';
import type { SkillStatus, SkillVersionStatus } from '../../../../src/contracts/skill';

const COLORS: Record<SkillStatus | SkillVersionStatus, string> = {
  draft: 'blue',
  current: 'green',
  retired: 'gray',
  failed: 'red',
  deprecated: 'gray',
};

export function SkillBadge({ status }: { status: SkillStatus | SkillVersionStatus }) {
  return (
    <Badge variant="light" size="sm" color={COLORS[status]} tt="none">
      {status === 'current' ? 'in use' : status}
    </Badge>
  );
}
