import { Group, Stack, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { PendingWrite } from '../../../../src/contracts/pending-write';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { Filter } from './filter';
import { StandBadge } from './marks';
import { Panes } from './panes';
import { goingOn, useInbox } from './use-inbox';
import { chosenOf, WRITE_CHOICES } from './views';
import { WriteMatter } from './write-matter';

const COLUMNS: readonly Column<PendingWrite>[] = [
  { name: 'Newest first', width: 'minmax(0, 1fr)', cell: (write) => <Row write={write} /> },
];

/** What restricted agents posted; it is a card only once somebody accepts it. */
export function WritesView() {
  const inbox = useInbox();
  const { search, id } = inbox;
  const chosen = chosenOf(WRITE_CHOICES, search.status);
  const rows = useRows<PendingWrite>('pending_writes', '/v1/pending-writes', {
    status: chosen.statuses,
  });
  return (
    <Panes
      inbox={inbox}
      ids={rows.items.map(({ id: one }) => one)}
      list={
        <Stack gap="xs">
          <Filter
            label="Status"
            choices={WRITE_CHOICES}
            value={chosen.value}
            choose={(status) =>
              inbox.show({ view: 'writes', ...(status === undefined ? {} : { status }) })
            }
          />
          <RowsTable
            label="Pending writes"
            rows={rows}
            columns={COLUMNS}
            keyOf={(write) => write.id}
            open={(write) => inbox.open(write.id)}
            selected={id}
            follow
            rowHeight={66}
            height="calc(100vh - 300px)"
            empty={
              <Empty title="No writes wait" icon={IconPencil}>
                A restricted agent only reads. What it wants to write waits here for its parent, or
                for you.
              </Empty>
            }
          />
        </Stack>
      }
    >
      {(open) => (
        <WriteMatter
          key={open}
          id={open}
          goOn={() => {
            const next = goingOn(rows.items, open, ({ status }) => status === 'waiting');
            if (next !== null) inbox.open(next);
          }}
        />
      )}
    </Panes>
  );
}

function Row({ write: { status, type, agent, write, created_at } }: { write: PendingWrite }) {
  return (
    <Stack gap={3}>
      <Group gap={6} justify="space-between" wrap="nowrap">
        <Group gap={6} wrap="nowrap">
          <Text size="xs" fw={600}>
            {type}
          </Text>
          {status !== 'waiting' && <StandBadge status={status} />}
        </Group>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          <When at={created_at} />
        </Text>
      </Group>
      <Text size="sm" lineClamp={2} className="told" fw={500}>
        {write?.summary ?? 'Decided; its text is not kept here'}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        of {agent}
      </Text>
    </Stack>
  );
}
