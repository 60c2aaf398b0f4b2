import { Alert, Button, Stack, Text } from '@mantine/core';
import type { ConfigFixChange, Proposal } from '../../../../src/contracts/proposal';
import { DiffText } from '../../components/diff-text';

/** Another version waits than the one that was opened: what is different, before anybody decides. */
export function ChangedMeanwhile({
  before,
  now,
  seen,
}: {
  before: Proposal;
  now: Proposal;
  seen(): void;
}) {
  const [old, current] = [wordsOf(before), wordsOf(now)];
  return (
    <Alert
      role="status"
      color="orange"
      title={`Version ${now.version} now, ${before.version} before`}
    >
      <Stack gap="xs" align="flex-start">
        {old === current ? (
          <Text size="sm">
            Its words are the same. What it rests on has changed: look at the cards again.
          </Text>
        ) : (
          <DiffText before={old} after={current} />
        )}
        <Button size="xs" variant="default" onClick={seen}>
          I have seen it
        </Button>
      </Stack>
    </Alert>
  );
}

function wordsOf({ summary, change }: Proposal): string {
  const { fix } = change as Partial<ConfigFixChange>;
  return [summary, fix].filter((text) => typeof text === 'string').join('\n');
}
