import { Badge, Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Workspace } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay, useSession } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { IdText } from '../../components/id-text';
import { Panel } from '../../components/panel';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { type Secret, SecretOnce } from './secret-once';

/** Of the whole installation: only its owner key sees them. */
export function Workspaces() {
  const rows = useRows<Workspace>('workspace', '/v1/workspaces');
  const { workspace: here } = useSession();
  const mayMake = useMay('POST /v1/workspaces');
  const columns: Column<Workspace>[] = [
    {
      name: 'Workspace',
      width: 'minmax(0, 1.4fr)',
      cell: ({ id, name }) => (
        <>
          <Text component="div" size="sm" fw={550} truncate>
            {name}{' '}
            {id === here.id && (
              <Badge size="xs" variant="light" tt="none">
                this one
              </Badge>
            )}
          </Text>
          <IdText id={id} />
        </>
      ),
    },
    { name: 'Memory', width: '110px', cell: ({ memory_mode }) => memory_mode },
    { name: 'Made', width: '140px', wideOnly: true, cell: (row) => <When at={row.created_at} /> },
  ];
  return (
    <Panel
      title="Workspaces of this installation"
      says="Each is closed to the others. One is opened by signing in with a key of its own."
      actions={mayMake && <NewWorkspace />}
    >
      <RowsTable
        label="Workspaces"
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        height={360}
      />
    </Panel>
  );
}

function NewWorkspace() {
  const [open, { open: show, close }] = useDisclosure(false);
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [secret, setSecret] = useState<Secret | null>(null);
  const make = useDoing<void, { data: { id: string; owner_key?: string } }>({
    call: () =>
      send('/v1/workspaces', { method: 'POST', body: { id: id.trim(), name: name.trim() } }),
    done: 'Made',
    touches: ['workspace'],
    then: ({ data }) => {
      close();
      setId('');
      setName('');
      if (data.owner_key === undefined) return;
      setSecret({
        title: `The owner key of ${data.id}`,
        says: 'With it the owner of the new workspace signs in and makes keys for others. Cairn keeps no copy.',
        value: data.owner_key,
      });
    },
  });
  const wellFormed = /^[a-z0-9][a-z0-9-]{0,39}$/.test(id.trim());
  return (
    <>
      <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={show}>
        New workspace
      </Button>
      <Modal opened={open} onClose={close} title="New workspace" centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate();
          }}
        >
          <Stack gap="sm">
            <TextInput
              label="Id"
              description="Small letters, digits and hyphens; it stays"
              value={id}
              onChange={(event) => setId(event.currentTarget.value)}
              error={
                id === '' || wellFormed
                  ? undefined
                  : 'Small letters, digits and hyphens, at most 40'
              }
              required
            />
            <TextInput
              label="Name"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              required
            />
            <Button
              type="submit"
              loading={make.isPending}
              disabled={!wellFormed || name.trim() === ''}
            >
              Make it
            </Button>
          </Stack>
        </form>
      </Modal>
      {secret !== null && <SecretOnce secret={secret} close={() => setSecret(null)} />}
    </>
  );
}
