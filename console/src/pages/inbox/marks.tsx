import { Badge } from '@mantine/core';
import {
  IconArchive,
  IconArrowBigUpLines,
  IconArrowsSplit,
  IconBook2,
  IconBulb,
  IconCheck,
  IconCircleCheck,
  IconClock,
  IconEyeCheck,
  IconHourglassOff,
  IconInbox,
  IconLink,
  IconRefreshAlert,
  IconStackPop,
  IconTool,
  IconX,
} from '@tabler/icons-react';
import type { PendingWriteStatus } from '../../../../src/contracts/pending-write';
import type { ProposalStatus, ProposalType } from '../../../../src/contracts/proposal';

interface Mark {
  icon: typeof IconCheck;
  label: string;
  color: string;
}

export const TYPE_MARKS: Record<ProposalType, Mark> = {
  config_fix: { icon: IconTool, label: 'Configuration fix', color: 'orange' },
  contradiction: { icon: IconArrowsSplit, label: 'Contradiction', color: 'red' },
  promotion: { icon: IconArrowBigUpLines, label: 'Promotion', color: 'indigo' },
  skill: { icon: IconBook2, label: 'Skill', color: 'teal' },
  fact: { icon: IconBulb, label: 'Fact', color: 'cyan' },
  link: { icon: IconLink, label: 'Link', color: 'grape' },
  merge: { icon: IconStackPop, label: 'Merge', color: 'blue' },
  archive: { icon: IconArchive, label: 'Archive', color: 'gray' },
};

const STATUS_MARKS: Record<ProposalStatus | PendingWriteStatus, Mark> = {
  open: { icon: IconInbox, label: 'open', color: 'blue' },
  waiting: { icon: IconInbox, label: 'waiting', color: 'blue' },
  reopened: { icon: IconRefreshAlert, label: 'reopened', color: 'orange' },
  approved: { icon: IconClock, label: 'approved', color: 'teal' },
  accepted: { icon: IconCheck, label: 'accepted', color: 'green' },
  applied: { icon: IconCheck, label: 'applied', color: 'green' },
  proven: { icon: IconCircleCheck, label: 'proven', color: 'green' },
  rejected: { icon: IconX, label: 'rejected', color: 'red' },
  expired: { icon: IconHourglassOff, label: 'expired', color: 'gray' },
  lapsed: { icon: IconHourglassOff, label: 'lapsed', color: 'gray' },
};

/** Applied has more to come where it is a fix: its step is watched. */
const WATCHED: Mark = { icon: IconEyeCheck, label: 'applied, watched', color: 'teal' };

function MarkBadge({ mark: { icon: Icon, label, color } }: { mark: Mark }) {
  return (
    <Badge
      variant="light"
      color={color}
      size="sm"
      tt="none"
      fw={550}
      style={{ flexShrink: 0 }}
      leftSection={<Icon size={12} aria-hidden />}
    >
      {label}
    </Badge>
  );
}

export function TypeBadge({ type }: { type: ProposalType }) {
  return <MarkBadge mark={TYPE_MARKS[type]} />;
}

export function StandBadge({
  status,
  ofFix = false,
}: {
  status: ProposalStatus | PendingWriteStatus;
  ofFix?: boolean;
}) {
  return <MarkBadge mark={ofFix && status === 'applied' ? WATCHED : STATUS_MARKS[status]} />;
}
