import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Card } from '../../../../src/contracts/card';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { pathOf } from './wire';

const UNDO_MS = 15_000;

/** Deletes at once; taking it back is offered instead of a question. */
export function useDeleting({ id, version }: Card) {
  const mayRestore = useMay('POST /v1/cards/:id/restore');
  const restore = useDoing<void>({
    call: () => send(pathOf(id, '/restore'), { method: 'POST', body: {} }),
    done: 'It is back.',
    touches: ['cards'],
  });
  return useDoing<void>({
    call: () => send(pathOf(id), { method: 'DELETE', ifMatch: version }),
    touches: ['cards'],
    then: () => {
      const said = notifications.show({
        autoClose: UNDO_MS,
        color: 'lichen',
        message: (
          <Group justify="space-between" wrap="nowrap">
            <Text size="sm">Deleted, for every reader.</Text>
            {mayRestore && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => {
                  notifications.hide(said);
                  restore.mutate();
                }}
              >
                Undo
              </Button>
            )}
          </Group>
        ),
      });
    },
  });
}
