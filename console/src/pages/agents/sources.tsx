import {
  Badge,
  Button,
  Group,
  Modal,
  Select,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { SOURCE_KINDS, type Source, type SourceKind } from '../../../../src/contracts/source';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import { RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';

const route = getRouteApi('/agents');

/** Where memory comes from: runtimes, agents, services. Nothing more is taken of a stopped one. */
export function Sources() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay('PUT /v1/sources/:id');
  const rows = useRows<Source>('agents', '/v1/sources', {
    kind: search.kind,
    stopped: search.stopped,
  });
  const set = useDoing<Source>({
    call: ({ id, stopped }) =>
      send(`/v1/sources/${encodeURIComponent(id)}`, { method: 'PUT', body: { stopped: !stopped } }),
    done: (_, { stopped }) => (stopped ? 'It is heard again' : 'Stopped, from the next request on'),
    touches: ['agents', 'cards'],
  });
  const filter = (name: 'kind' | 'stopped', value: string | undefined) =>
    void navigate({ search: (now) => ({ ...now, [name]: value }), replace: true });
  return (
    <Stack>
      <Group align="flex-end">
        <Select
          label="Kind"
          placeholder="all"
          data={[...SOURCE_KINDS]}
          value={search.kind ?? null}
          onChange={(value) => filter('kind', value ?? undefined)}
          clearable
          w={160}
        />
        <Switch
          label="Only what is stopped"
          checked={search.stopped === 'true'}
          onChange={(event) => filter('stopped', event.currentTarget.checked ? 'true' : undefined)}
          pb={8}
        />
        {may && <StopSource />}
      </Group>
      <RowsTable
        label="Sources"
        rows={rows}
        keyOf={({ id }) => id}
        height="calc(100vh - 350px)"
        columns={[
          {
            name: 'Source',
            width: 'minmax(0, 1.2fr)',
            cell: ({ name, kind }) => (
              <>
                <Text size="sm" fw={550} truncate>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {kind}
                </Text>
              </>
            ),
          },
          {
            name: 'State',
            width: '100px',
            cell: ({ stopped }) => (
              <Badge variant="light" color={stopped ? 'red' : 'green'} tt="none">
                {stopped ? 'stopped' : 'heard'}
              </Badge>
            ),
          },
          {
            name: 'Because',
            width: 'minmax(0, 1.2fr)',
            wideOnly: true,
            cell: ({ reason }) => reason ?? '—',
          },
          {
            name: 'Changed',
            width: '110px',
            wideOnly: true,
            cell: (row) => <When at={row.changed_at} />,
          },
          {
            name: 'Action',
            width: '90px',
            cell: (source) =>
              may && (
                <DoButton
                  doing={set}
                  size="compact-xs"
                  {...(source.stopped ? {} : { color: 'red' })}
                  onClick={() =>
                    source.stopped
                      ? set.mutate(source)
                      : confirm({
                          title: `Stop ${source.name}?`,
                          says: 'Nothing more is taken of it, by any door, until it is lifted. Cards that are there stay as they are.',
                          yes: 'Stop it',
                          danger: true,
                          onYes: () => set.mutate(source),
                        })
                  }
                >
                  {source.stopped ? 'Lift' : 'Stop'}
                </DoButton>
              ),
          },
        ]}
        empty={
          <Empty title="No source was ever stopped">
            Runtimes, agents and services are heard until a person stops them.
          </Empty>
        }
      />
    </Stack>
  );
}

/** Names what is to be heard no more; what it is called need not be known here yet. */
function StopSource() {
  const [open, { open: show, close }] = useDisclosure(false);
  const [kind, setKind] = useState<SourceKind>('service');
  const [name, setName] = useState('');
  const [reason, setReason] = useState('');
  const stop = useDoing({
    call: () =>
      send(`/v1/sources/${encodeURIComponent(`${kind}:${name.trim()}`)}`, {
        method: 'PUT',
        body: { stopped: true, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) },
      }),
    done: 'Stopped, from the next request on',
    touches: ['agents', 'cards'],
    then: () => {
      close();
      setName('');
      setReason('');
    },
  });
  return (
    <>
      <Button color="red" variant="light" onClick={show}>
        Stop a source
      </Button>
      <Modal opened={open} onClose={close} title="Stop a source" centered>
        <Stack>
          <Select
            label="Kind of source"
            data={[...SOURCE_KINDS]}
            value={kind}
            onChange={(value) => value !== null && setKind(value as SourceKind)}
            allowDeselect={false}
          />
          <TextInput
            label="Its name"
            placeholder={kind === 'service' ? 'browser' : ''}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
          />
          <Textarea
            label="Because"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            autosize
          />
          <Button
            color="red"
            disabled={name.trim() === ''}
            loading={stop.isPending}
            onClick={() => stop.mutate()}
          >
            Stop it
          </Button>
        </Stack>
      </Modal>
    </>
  );
}
