import type { ButtonProps } from '@mantine/core';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { DoButton, useDoing } from '../../components/doing';
import { pathOf } from './wire';

/** Brings a deleted or archived card back, for those who may. */
export function RestoreButton({ id, ...props }: { id: string } & ButtonProps) {
  const may = useMay('POST /v1/cards/:id/restore');
  const restore = useDoing<void>({
    call: () => send(pathOf(id, '/restore'), { method: 'POST', body: {} }),
    done: 'It is back, for everybody who saw it before.',
    touches: ['cards'],
  });
  if (!may) return null;
  return (
    <DoButton doing={restore} onClick={() => restore.mutate()} {...props}>
      Restore
    </DoButton>
  );
}
