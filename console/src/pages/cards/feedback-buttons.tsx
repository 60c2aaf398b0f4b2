import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { useDoing } from '../../components/doing';

/** Whether a card that a recall put into a context was of use there. */
export function FeedbackButtons({ card, recall }: { card: string; recall: string }) {
  const may = useMay('POST /v1/recalls/:id/feedback');
  const tell = useDoing<boolean>({
    call: (useful) =>
      send(`/v1/recalls/${encodeURIComponent(recall)}/feedback`, {
        method: 'POST',
        body: { card_id: card, useful },
      }),
    touches: ['cards'],
  });
  if (!may) return null;
  const said = tell.isSuccess ? (tell.variables ? 'Helped' : 'Did not help') : null;
  return (
    <Group gap={4} wrap="nowrap">
      <Tooltip label="It helped">
        <ActionIcon
          variant={tell.variables === true ? 'light' : 'subtle'}
          color={tell.variables === true ? 'lichen' : 'gray'}
          aria-label="It helped in this recall"
          loading={tell.isPending}
          onClick={() => tell.mutate(true)}
        >
          <IconThumbUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="It did not help">
        <ActionIcon
          variant={tell.variables === false ? 'light' : 'subtle'}
          color="gray"
          aria-label="It did not help in this recall"
          loading={tell.isPending}
          onClick={() => tell.mutate(false)}
        >
          <IconThumbDown size={16} />
        </ActionIcon>
      </Tooltip>
      {said !== null && (
        <Text size="xs" role="status">
          {said}
        </Text>
      )}
    </Group>
  );
}
