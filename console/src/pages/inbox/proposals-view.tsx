import { Group, Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import dayjs from 'dayjs';
import {
  PROPOSAL_TYPES,
  type Proposal,
  type ProposalType,
} from '../../../../src/contracts/proposal';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { Filter } from './filter';
import { StandBadge, TYPE_MARKS, TypeBadge } from './marks';
import { Panes } from './panes';
import { ProposalMatter } from './proposal-matter';
import { goingOn, useInbox } from './use-inbox';
import { chosenOf, PROPOSAL_CHOICES, waits } from './views';

const ANY = 'any';
const TYPES = [
  { value: ANY, label: 'All kinds' },
  ...PROPOSAL_TYPES.map((type) => ({ value: type, label: TYPE_MARKS[type].label })),
];
/** Their titles are alike; what they say is not. */
const SAYING: readonly ProposalType[] = ['skill', 'fact', 'link'];
/** So near to its end a proposal says so in the list. */
const SOON_HOURS = 48;

const COLUMNS: readonly Column<Proposal>[] = [
  {
    name: 'Newest first',
    width: 'minmax(0, 1fr)',
    cell: (proposal) => <Row proposal={proposal} />,
  },
];

export function ProposalsView() {
  const inbox = useInbox();
  const { search, id } = inbox;
  const chosen = chosenOf(PROPOSAL_CHOICES, search.status);
  const type = PROPOSAL_TYPES.find((one) => one === search.type);
  const rows = useRows<Proposal>('proposals', '/v1/proposals', {
    status: chosen.statuses,
    type,
  });
  return (
    <Panes
      inbox={inbox}
      ids={rows.items.map(({ id: one }) => one)}
      list={
        <Stack gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Filter
              label="Status"
              choices={PROPOSAL_CHOICES}
              value={chosen.value}
              choose={(status) => inbox.show(kept({ status, type }))}
            />
            <Filter
              label="Kind of proposal"
              choices={TYPES}
              value={type ?? ANY}
              choose={(next) => inbox.show(kept({ status: search.status, type: next }))}
            />
          </Group>
          <RowsTable
            label="Proposals"
            rows={rows}
            columns={COLUMNS}
            keyOf={keyOf}
            open={(row) => inbox.open(row.id)}
            selected={id}
            follow
            rowHeight={66}
            height="calc(100vh - 300px)"
            empty={
              <Empty
                title={chosen.value === 'waiting' ? 'Nothing waits for you' : 'None of these'}
                icon={IconInbox}
              >
                {chosen.value === 'waiting'
                  ? 'Repeated failures, contradictions and promotions show up here as they happen.'
                  : 'Choose another status or kind.'}
              </Empty>
            }
          />
        </Stack>
      }
    >
      {(open) => (
        <ProposalMatter
          key={open}
          id={open}
          goOn={() => {
            const next = goingOn(rows.items, open, waits);
            if (next !== null) inbox.open(next);
          }}
        />
      )}
    </Panes>
  );
}

function keyOf({ id }: Proposal): string {
  return id;
}

function kept(search: { status: string | undefined; type: string | undefined }) {
  return {
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.type === undefined ? {} : { type: search.type }),
  };
}

function Row({ proposal }: { proposal: Proposal }) {
  const { type, status, title, summary, team, created_at, expires_at } = proposal;
  const soon = waits(proposal) && dayjs(expires_at).diff(dayjs(), 'hour') < SOON_HOURS;
  return (
    <Stack gap={3}>
      <Group gap={6} justify="space-between" wrap="nowrap">
        <Group gap={4}>
          <TypeBadge type={type} />
          {status !== 'open' && <StandBadge status={status} ofFix={type === 'config_fix'} />}
        </Group>
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          <When at={created_at} />
        </Text>
      </Group>
      <Text size="sm" lineClamp={2} className="told" fw={500}>
        {title}
      </Text>
      {SAYING.includes(type) && summary !== null && (
        <Text size="xs" c="dimmed" lineClamp={2} className="told">
          {summary}
        </Text>
      )}
      {(team !== null || soon) && (
        <Text size="xs" c="dimmed" truncate>
          {team !== null && `team ${team}`}
          {team !== null && soon && ' · '}
          {soon && (
            <Text span inherit fw={600}>
              expires <When at={expires_at} />
            </Text>
          )}
        </Text>
      )}
    </Stack>
  );
}
