import { Button, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AgentGroup } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import { RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';

/** Agents that cards are shared with together; who leaves sees no more from the next read on. */
export function Groups() {
  const rows = useRows<AgentGroup>('agents', '/v1/agent-groups');
  const may = useMay('PUT /v1/agent-groups/:id');
  const [edited, setEdited] = useState<AgentGroup | 'new' | null>(null);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          A card shared with a group is seen by its members as long as they are in it.
        </Text>
        {may && (
          <Button size="xs" onClick={() => setEdited('new')}>
            New group
          </Button>
        )}
      </Group>
      <RowsTable
        label="Groups"
        rows={rows}
        keyOf={({ id }) => id}
        height={460}
        {...(may ? { open: setEdited } : {})}
        columns={[
          {
            name: 'Group',
            width: 'minmax(0, 0.8fr)',
            cell: ({ id }) => (
              <Text size="sm" fw={550}>
                {id}
              </Text>
            ),
          },
          {
            name: 'Members',
            width: 'minmax(0, 2fr)',
            cell: ({ members }) => (
              <Text size="sm" lineClamp={2}>
                {members.length === 0 ? 'nobody' : members.join(', ')}
              </Text>
            ),
          },
          {
            name: 'Made',
            width: '120px',
            wideOnly: true,
            cell: (row) => <When at={row.created_at} />,
          },
          {
            name: 'Action',
            width: '80px',
            cell: (group) =>
              may && (
                <Button size="compact-xs" variant="default" onClick={() => setEdited(group)}>
                  Change
                </Button>
              ),
          },
        ]}
        empty={<Empty title="No groups yet" />}
      />
      {edited !== null && (
        <Edit group={edited === 'new' ? null : edited} close={() => setEdited(null)} />
      )}
    </Stack>
  );
}

function Edit({ group, close }: { group: AgentGroup | null; close(): void }) {
  const [id, setId] = useState(group?.id ?? '');
  const [members, setMembers] = useState<string[]>(group?.members ?? []);
  const save = useDoing({
    call: () =>
      send(`/v1/agent-groups/${encodeURIComponent(id.trim())}`, {
        method: 'PUT',
        body: { members },
      }),
    done: 'Saved; it counts from the next read on',
    touches: ['agents', 'cards'],
    then: close,
  });
  return (
    <Modal opened onClose={close} title={group === null ? 'New group' : `Group ${group.id}`}>
      <Stack>
        {group === null && (
          <TextInput
            label="Its name"
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            required
          />
        )}
        <TagsInput
          label="Members"
          description="Ids of agents; Enter adds one"
          value={members}
          onChange={setMembers}
        />
        <Button disabled={id.trim() === ''} loading={save.isPending} onClick={() => save.mutate()}>
          Save
        </Button>
      </Stack>
    </Modal>
  );
}
