import { Paper, Stack, Text } from '@mantine/core';
import type { RunDraft } from '../../../../src/contracts/run';
import { CardById } from '../../components/card-by-id';
import { JsonText } from '../../components/json-text';

/** Texts that a dry run would have written, each beside the cards that it was made from. */
export function RunDrafts({ drafts }: { drafts: RunDraft[] }) {
  return (
    <Stack>
      {drafts.map(({ run_id, part, sources, draft }) => {
        const words = typeof draft.summary === 'string' ? draft.summary : null;
        return (
          <Paper key={`${run_id} ${part}`} withBorder p="md">
            <Stack gap="xs">
              <Text size="xs" c="dimmed">
                Would be written ({part})
              </Text>
              {words === null ? <JsonText value={draft} /> : <Text className="told">{words}</Text>}
              <Text size="xs" c="dimmed">
                From {sources.length} cards
              </Text>
              {sources.slice(0, 6).map((id) => (
                <CardById key={id} id={id} lines={2} />
              ))}
              {sources.length > 6 && <Text size="xs">and {sources.length - 6} more</Text>}
            </Stack>
          </Paper>
        );
      })}
    </Stack>
  );
}
