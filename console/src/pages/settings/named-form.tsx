import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';

/** Makes or renames what has an id and a name. */
export function NamedForm({
  what,
  path,
  topic,
  named,
  needsName = false,
  close,
}: {
  /** `team` */
  what: string;
  /** `/v1/teams` */
  path: string;
  topic: string;
  named: { id: string; name: string | null } | null;
  needsName?: boolean;
  close(): void;
}) {
  const [id, setId] = useState(named?.id ?? '');
  const [name, setName] = useState(named?.name ?? '');
  const save = useDoing({
    call: () =>
      send(`${path}/${encodeURIComponent(id.trim())}`, {
        method: 'PUT',
        body: { name: name.trim() === '' ? null : name.trim() },
      }),
    done: named === null ? 'Made' : 'Saved',
    touches: [topic],
    then: close,
  });
  const ready = id.trim() !== '' && (!needsName || name.trim() !== '');
  return (
    <Modal
      opened
      onClose={close}
      title={named === null ? `New ${what}` : `Change the ${what} ${named.id}`}
      centered
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack gap="sm">
          {named === null && (
            <TextInput
              label="Id"
              value={id}
              onChange={(event) => setId(event.currentTarget.value)}
              required
            />
          )}
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required={needsName}
          />
          <Button type="submit" disabled={!ready} loading={save.isPending}>
            {named === null ? `Make the ${what}` : 'Save'}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
