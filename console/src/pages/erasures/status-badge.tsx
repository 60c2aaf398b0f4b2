import { Badge } from '@mantine/core';
import type { ErasureStatus } from '../../../../src/contracts/erasure';

const WORDS: Record<ErasureStatus, { says: string; color: string }> = {
  waiting: { says: 'accepted', color: 'blue' },
  running: { says: 'running', color: 'blue' },
  verifying: { says: 'being verified', color: 'blue' },
  completed: { says: 'completed', color: 'green' },
  held: { says: 'partly held', color: 'orange' },
  unverified: { says: 'unverified', color: 'red' },
};

export function StatusBadge({ status, dry }: { status: ErasureStatus; dry: boolean }) {
  const { says, color } = WORDS[status];
  return (
    <Badge variant="light" color={color} tt="none">
      {dry && status === 'completed' ? 'dry run done' : says}
      {dry && status !== 'completed' ? ' (dry run)' : ''}
    </Badge>
  );
}

/** `2 subjects, 1 agent`: what was named, by kind; the names themselves are shown nowhere. */
export function namedInWords(selector: Readonly<Record<string, number>>): string {
  return Object.entries(selector)
    .map(
      ([kind, count]) =>
        `${count} ${kind.replace('_ids', count === 1 ? '' : 's').replaceAll('_', ' ')}`,
    )
    .join(', ');
}
