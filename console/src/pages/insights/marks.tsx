import { Badge } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconBan,
  IconCheck,
  IconChevronDown,
  IconChevronsUp,
  IconChevronUp,
  IconClockHour4,
  IconEqual,
  IconFlame,
  IconLineDashed,
  IconQuestionMark,
} from '@tabler/icons-react';
import type {
  ActionPriority,
  InsightAction,
  OutcomeResult,
  Severity,
} from '../../../../src/contracts/insight';
import { RESULTS, STATUSES } from './words';

/** Shape and word, so that no colour has to be told from another. */
function Mark({
  icon: Icon,
  color,
  children,
}: {
  icon: typeof IconCheck;
  color: string;
  children: string;
}) {
  return (
    <Badge
      variant="light"
      color={color}
      size="sm"
      tt="none"
      fw={550}
      leftSection={<Icon size={12} aria-hidden />}
    >
      {children}
    </Badge>
  );
}

const SEVERITY = {
  low: { icon: IconChevronDown, color: 'gray' },
  medium: { icon: IconChevronUp, color: 'blue' },
  high: { icon: IconChevronsUp, color: 'orange' },
  critical: { icon: IconFlame, color: 'red' },
} as const;

export function SeverityMark({ severity }: { severity: Severity }) {
  return <Mark {...SEVERITY[severity]}>{severity}</Mark>;
}

const PRIORITY = {
  high: { icon: IconArrowUp, color: 'green' },
  normal: { icon: IconLineDashed, color: 'gray' },
  low: { icon: IconArrowDown, color: 'orange' },
} as const;

export function PriorityMark({ priority }: { priority: ActionPriority }) {
  return <Mark {...PRIORITY[priority]}>{`${priority} priority`}</Mark>;
}

const RESULT = {
  improved: { icon: IconCheck, color: 'green' },
  unchanged: { icon: IconEqual, color: 'gray' },
  worse: { icon: IconArrowDown, color: 'red' },
} as const;

export function ResultMark({ result }: { result: OutcomeResult }) {
  return <Mark {...RESULT[result]}>{RESULTS[result]}</Mark>;
}

const STATUS = {
  recommended: { icon: IconLineDashed, color: 'blue' },
  taken: { icon: IconClockHour4, color: 'grape' },
  measured: { icon: IconCheck, color: 'green' },
  unmeasured: { icon: IconQuestionMark, color: 'gray' },
  cancelled: { icon: IconBan, color: 'gray' },
} as const;

export function StatusMark({ action }: { action: InsightAction }) {
  return <Mark {...STATUS[action.status]}>{STATUSES[action.status]}</Mark>;
}

/** The Financial Urgency Score as a number of 100; how urgent in weight too. */
export function Score({ score, size = 'md' }: { score: number; size?: 'md' | 'xl' }) {
  const color = score > 70 ? 'red' : score > 50 ? 'orange' : score > 30 ? 'yellow' : 'gray';
  return (
    <Badge
      variant="light"
      color={color}
      size={size}
      className="numbers"
      miw={size === 'xl' ? 72 : 52}
      aria-label={`urgency ${score} of 100`}
    >
      {score.toFixed(1)}
    </Badge>
  );
}
