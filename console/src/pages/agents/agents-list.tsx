import { Group, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Agent } from '../../../../src/contracts/principal';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { AgentMarks } from './agent-marks';
import { NewAgent } from './new-agent';

const route = getRouteApi('/agents');

const COLUMNS: Column<Agent>[] = [
  {
    name: 'Agent',
    width: 'minmax(0, 1.4fr)',
    cell: ({ id, agent_type }) => (
      <>
        <AnchorLink to="/agents/$id" params={{ id }} fw={550}>
          {id}
        </AnchorLink>
        {agent_type !== null && (
          <Text size="xs" c="dimmed">
            {agent_type}
          </Text>
        )}
      </>
    ),
  },
  { name: 'Team', width: 'minmax(0, 0.8fr)', wideOnly: true, cell: ({ team }) => team ?? '—' },
  {
    name: 'Spawned by',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ parent_agent: parent }) =>
      parent === null ? (
        '—'
      ) : (
        <AnchorLink to="/agents/$id" params={{ id: parent }}>
          {parent}
        </AnchorLink>
      ),
  },
  { name: 'State', width: '150px', cell: (agent) => <AgentMarks agent={agent} /> },
  { name: 'Since', width: '110px', cell: ({ created_at }) => <When at={created_at} /> },
];

export function AgentsList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useRows<Agent>('agents', '/v1/agents', {
    team: search.team,
    parent_agent: search.parent,
  });
  const set = (name: 'team' | 'parent', value: string) =>
    void navigate({
      search: (now) => ({ ...now, [name]: value.trim() || undefined }),
      replace: true,
    });
  return (
    <>
      <Group mb="sm" align="flex-end" justify="space-between">
        <Group align="flex-end">
          {(
            [
              ['team', 'Team'],
              ['parent', 'Spawned by'],
            ] as const
          ).map(([name, label], at) => (
            <TextInput
              key={`${name} ${search[name] ?? ''}`}
              label={label}
              placeholder="all"
              defaultValue={search[name] ?? ''}
              onBlur={(event) => set(name, event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') set(name, event.currentTarget.value);
              }}
              {...(at === 0 ? { 'data-page-search': true } : {})}
              w={170}
            />
          ))}
        </Group>
        <NewAgent />
      </Group>
      <RowsTable
        label="Agents"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        open={({ id }) => void navigate({ to: '/agents/$id', params: { id } })}
        height="calc(100vh - 350px)"
        empty={
          <Empty title="No such agent">
            An agent is registered here, or by itself with the first event that names it.
          </Empty>
        }
      />
    </>
  );
}
