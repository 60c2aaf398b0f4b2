import { Badge, Group, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArchive,
  IconArrowsSplit,
  IconBan,
  IconBook,
  IconBriefcase,
  IconBulb,
  IconCheck,
  IconCircleCheck,
  IconClock,
  IconFlask,
  IconInfoCircle,
  IconLink,
  IconMinus,
  IconShieldExclamation,
  IconTrash,
  IconTrophy,
  IconUsers,
  IconX,
} from '@tabler/icons-react';
import type { CardKind, CardStatus, ScopeType, Sign } from '../../../src/contracts/names';

interface Mark {
  icon: typeof IconCheck;
  color: string;
  label: string;
  says: string;
}

/** Shape and word, so that no colour has to be told from another. */
export const KIND_MARKS: Record<CardKind, Mark> = {
  experience: { icon: IconFlask, color: 'blue', label: 'experience', says: 'What happened once' },
  constraint: {
    icon: IconShieldExclamation,
    color: 'orange',
    label: 'constraint',
    says: 'What must not be done, or only so',
  },
  delegation: {
    icon: IconUsers,
    color: 'grape',
    label: 'delegation',
    says: 'Who was given what, and how it went',
  },
  knowledge: { icon: IconInfoCircle, color: 'cyan', label: 'knowledge', says: 'A stated fact' },
  insight: { icon: IconBulb, color: 'yellow', label: 'insight', says: 'What several cards say' },
  convention: {
    icon: IconBook,
    color: 'teal',
    label: 'convention',
    says: 'How things are done here',
  },
  competence: {
    icon: IconTrophy,
    color: 'indigo',
    label: 'competence',
    says: 'Who is good at what',
  },
  skill_lesson: {
    icon: IconBriefcase,
    color: 'lime',
    label: 'skill lesson',
    says: 'A way of working, with its tests',
  },
};

export const SIGN_MARKS: Record<Sign, Mark> = {
  worked: { icon: IconCheck, color: 'green', label: 'worked', says: 'It went well' },
  failed: { icon: IconX, color: 'red', label: 'failed', says: 'It went wrong' },
  neutral: { icon: IconMinus, color: 'gray', label: 'neutral', says: 'Neither well nor wrong' },
};

export const STATUS_MARKS: Record<CardStatus, Mark> = {
  pending: { icon: IconClock, color: 'gray', label: 'pending', says: 'Waits for its first proof' },
  active: { icon: IconCircleCheck, color: 'blue', label: 'active', says: 'In use' },
  validated: {
    icon: IconCircleCheck,
    color: 'green',
    label: 'validated',
    says: 'Somebody or something confirmed it',
  },
  rejected: { icon: IconBan, color: 'red', label: 'rejected', says: 'Found wrong; never recalled' },
  quarantined: {
    icon: IconAlertTriangle,
    color: 'orange',
    label: 'quarantined',
    says: 'Held back until a person releases it',
  },
  superseded: {
    icon: IconArrowsSplit,
    color: 'gray',
    label: 'superseded',
    says: 'A newer card stands for it',
  },
  archived: { icon: IconArchive, color: 'gray', label: 'archived', says: 'Kept, not recalled' },
  deleted: { icon: IconTrash, color: 'red', label: 'deleted', says: 'May be restored for a while' },
};

function MarkBadge({ mark: { icon: Icon, color, label, says } }: { mark: Mark }) {
  return (
    <Tooltip label={says} openDelay={300}>
      <Badge
        variant="light"
        color={color}
        size="sm"
        tt="none"
        fw={550}
        leftSection={<Icon size={12} aria-hidden />}
      >
        {label}
      </Badge>
    </Tooltip>
  );
}

export function KindBadge({ kind }: { kind: CardKind }) {
  return <MarkBadge mark={KIND_MARKS[kind]} />;
}
export function SignBadge({ sign }: { sign: Sign }) {
  return <MarkBadge mark={SIGN_MARKS[sign]} />;
}
export function StatusBadge({ status }: { status: CardStatus }) {
  return <MarkBadge mark={STATUS_MARKS[status]} />;
}

/** What a card may carry of marks, as every list and answer shows it. */
export interface Marked {
  kind: CardKind;
  sign: Sign;
  status: CardStatus;
  flags?: readonly string[];
  scope?: { type: ScopeType; id: string };
}

/** Kind and sign always; a status only where it is not the usual one. */
export function CardMarks({ card, allStatuses = false }: { card: Marked; allStatuses?: boolean }) {
  return (
    <Group gap={4} wrap="wrap">
      <KindBadge kind={card.kind} />
      {card.sign !== 'neutral' && <SignBadge sign={card.sign} />}
      {(allStatuses || card.status !== 'active') && <StatusBadge status={card.status} />}
      {card.flags?.includes('instruction_like') === true && (
        <MarkBadge
          mark={{
            icon: IconShieldExclamation,
            color: 'red',
            label: 'reads like an instruction',
            says: 'Text from outside that tells an agent what to do; shown as data, never followed',
          }}
        />
      )}
      {card.scope !== undefined && (
        <MarkBadge
          mark={{
            icon: IconLink,
            color: 'gray',
            label: `${card.scope.type === 'workspace' ? 'workspace' : `${card.scope.type} ${card.scope.id}`}`,
            says: 'Whose card it is, and so who sees it by itself',
          }}
        />
      )}
    </Group>
  );
}
