import { Badge, Tooltip } from '@mantine/core';
import { type LiveState, useLiveState } from './live';

const WORDS: Record<LiveState, { label: string; says: string; color: string }> = {
  connecting: { label: 'Connecting', says: 'Asking for changes as they happen', color: 'gray' },
  live: { label: 'Live', says: 'Changes show as they happen', color: 'lichen' },
  lost: {
    label: 'Connection lost',
    says: 'What is shown may be old. Trying again; it is read anew once the server answers.',
    color: 'red',
  },
  off: { label: 'Every 20 s', says: 'This role reads again every 20 seconds', color: 'gray' },
};

export function LiveBadge() {
  const state = useLiveState();
  const { label, says, color } = WORDS[state];
  return (
    <Tooltip label={says} multiline maw={260}>
      <Badge
        role="status"
        aria-live="polite"
        tabIndex={0}
        variant={state === 'lost' ? 'filled' : 'dot'}
        color={color}
        size="md"
        tt="none"
        visibleFrom={state === 'lost' ? 'base' : 'xs'}
      >
        {label}
      </Badge>
    </Tooltip>
  );
}
