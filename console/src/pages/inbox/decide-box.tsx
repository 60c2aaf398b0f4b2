import { Alert, Button, Group, Kbd, Paper, Stack, Text, Textarea } from '@mantine/core';
import { getHotkeyHandler, useHotkeys } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import classes from './inbox-page.module.css';
import { refusalTitle } from './words';

export interface Verdict {
  approve: boolean;
  /** Empty where none was given. */
  reason: string;
}

interface Side {
  label: string;
  /** What it does to the world. */
  effect: string;
}

/** Why a decision changed nothing: plainly, then in the server's words. */
export function Refused({ error }: { error: Error }) {
  return (
    <Alert role="alert" color="red" title={refusalTitle(error)} p="xs">
      {error.message}
    </Alert>
  );
}

const MOST_LETTERS = 2_000;

/**
 * Approve or reject, with a reason. Two strokes each, since neither can be taken back: `a` and Enter,
 * or `x`, the reason, and Ctrl with Enter.
 */
export function DecideBox({
  approve,
  reject,
  version,
  busy,
  refusal,
  decide,
}: {
  approve: Side;
  reject: Side;
  /** Of the matter; when it changes, whoever had half decided looks again. */
  version: number;
  busy: boolean;
  /** Why the last decision changed nothing. */
  refusal: Error | null;
  decide(verdict: Verdict): void;
}) {
  const [mode, setMode] = useState<'approve' | 'reject' | null>(null);
  const [reason, setReason] = useState('');
  const yes = useRef<HTMLButtonElement>(null);
  const words = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the new version that disarms
  useEffect(() => setMode(null), [version]);
  useEffect(() => {
    if (mode === 'approve') yes.current?.focus();
    if (mode === 'reject') words.current?.focus();
  }, [mode]);
  useHotkeys([
    ['a', () => setMode('approve')],
    ['x', () => setMode('reject')],
  ]);
  const send = () => {
    if (mode !== null && !busy) decide({ approve: mode === 'approve', reason: reason.trim() });
  };
  const cancel = () => {
    setMode(null);
    // The buttons are back with the next frame, and the keys go on from there.
    requestAnimationFrame(() => frame.current?.querySelector('button')?.focus());
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) =>
    getHotkeyHandler([
      ['mod+Enter', send],
      ['Escape', cancel],
    ])(event);
  const side = mode === 'reject' ? reject : approve;

  return (
    <Paper
      ref={frame}
      component="section"
      withBorder
      p="sm"
      className={classes.decide}
      aria-label="Decide"
      onKeyDown={onKey}
    >
      <Stack gap="xs">
        {refusal !== null && <Refused error={refusal} />}
        {mode === null ? (
          <Group gap="xs">
            <Button
              size="sm"
              leftSection={<IconCheck size={16} />}
              rightSection={
                <Kbd size="xs" visibleFrom="sm">
                  a
                </Kbd>
              }
              onClick={() => setMode('approve')}
            >
              {approve.label}
            </Button>
            <Button
              size="sm"
              variant="default"
              leftSection={<IconX size={16} />}
              rightSection={
                <Kbd size="xs" visibleFrom="sm">
                  x
                </Kbd>
              }
              onClick={() => setMode('reject')}
            >
              {reject.label}
            </Button>
          </Group>
        ) : (
          <>
            <Text size="sm">{side.effect}</Text>
            <Textarea
              ref={words}
              label="Reason"
              description="Kept with the decision. Whatever is private in it is taken out."
              autosize
              minRows={2}
              maxRows={6}
              maxLength={MOST_LETTERS}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Group gap="xs">
              <Button
                ref={yes}
                size="sm"
                color={mode === 'reject' ? 'red.8' : 'lichen'}
                loading={busy}
                onClick={send}
              >
                {side.label}
              </Button>
              <Button size="sm" variant="subtle" color="gray" onClick={cancel}>
                Cancel
              </Button>
              <Text size="xs" c="dimmed" visibleFrom="sm">
                <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">Enter</Kbd> sends, <Kbd size="xs">Esc</Kbd>{' '}
                cancels
              </Text>
            </Group>
          </>
        )}
      </Stack>
    </Paper>
  );
}
