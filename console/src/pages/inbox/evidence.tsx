import { Button, Divider, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { CardById } from '../../components/card-by-id';

/** Each card is asked for by itself, so a long list is shown by parts. */
const STEP = 12;

/** Cards by their id, one below the other. */
export function CardsOf({
  ids,
  none = 'None that you may see.',
  aside,
}: {
  ids: readonly string[];
  none?: string;
  aside?: (id: string) => ReactNode;
}) {
  const [most, setMost] = useState(STEP);
  if (ids.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      {ids.slice(0, most).map((id, at) => (
        <Fragment key={id}>
          {at > 0 && <Divider />}
          <CardById id={id} lines={4} aside={aside?.(id)} />
        </Fragment>
      ))}
      {ids.length > most && (
        <Button size="xs" variant="default" onClick={() => setMost(most + STEP)}>
          {ids.length - most} more
        </Button>
      )}
    </Stack>
  );
}
