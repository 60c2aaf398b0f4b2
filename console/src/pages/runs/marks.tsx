import { Badge } from '@mantine/core';
import {
  IconCheck,
  IconCircleHalf2,
  IconClockHour4,
  IconLoader2,
  IconPlayerPause,
  IconX,
} from '@tabler/icons-react';
import type { Disposition } from '../../../../src/contracts/names';
import type { Run } from '../../../../src/contracts/run';

const STATUSES = {
  running: { icon: IconLoader2, color: 'blue' },
  completed: { icon: IconCheck, color: 'green' },
  partial: { icon: IconCircleHalf2, color: 'orange' },
  failed: { icon: IconX, color: 'red' },
} as const;

export function RunStatus({ run }: { run: Pick<Run, 'status' | 'paused'> }) {
  const paused = run.paused && run.status === 'running';
  const { icon: Icon, color } = paused
    ? { icon: IconPlayerPause, color: 'gray' }
    : STATUSES[run.status];
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={12} aria-hidden />}>
      {paused ? 'paused' : run.status}
    </Badge>
  );
}

/** What became of an event, as a person says it. */
export const DISPOSITION_WORDS: Record<Disposition, string> = {
  pending: 'is being looked at',
  carded: 'became a card',
  mode_off: 'not kept: memory is off for this agent',
  mode_manual: 'not kept: this agent’s memory is by hand',
  transient: 'not kept: a rule says that such work passes',
  sensitive: 'not kept: a rule says that it is too sensitive',
  quarantined: 'became a card that waits for a person’s release',
  duplicate_content: 'the same work had been told before',
  erased: 'erased',
  failed: 'could not be made a card',
};

export function DispositionBadge({ disposition }: { disposition: Disposition }) {
  const color =
    disposition === 'carded'
      ? 'green'
      : disposition === 'failed'
        ? 'red'
        : disposition === 'quarantined'
          ? 'orange'
          : 'gray';
  const Icon =
    disposition === 'carded' ? IconCheck : disposition === 'failed' ? IconX : IconClockHour4;
  return (
    <Badge
      variant="light"
      color={color}
      tt="none"
      leftSection={
        disposition === 'carded' || disposition === 'failed' || disposition === 'pending' ? (
          <Icon size={12} aria-hidden />
        ) : null
      }
    >
      {disposition.replaceAll('_', ' ')}
    </Badge>
  );
}

/** How long it took, or takes: in milliseconds; null before its start. */
export function tookMs(run: Pick<Run, 'started_at' | 'finished_at'>, now: number): number | null {
  if (run.started_at === null) return null;
  return Math.max(
    0,
    (run.finished_at === null ? now : Date.parse(run.finished_at)) - Date.parse(run.started_at),
  );
}

/** The counts of a run in words: `3 cards, 1 edge`; what is no number is left out. */
export function countsInWords(counts: Readonly<Record<string, unknown>>, most = 4): string {
  const shown = Object.entries(counts).filter(
    (one): one is [string, number] => typeof one[1] === 'number' && one[1] > 0,
  );
  return shown
    .slice(0, most)
    .map(([name, count]) => `${count.toLocaleString()} ${name.replaceAll('_', ' ')}`)
    .join(', ');
}
