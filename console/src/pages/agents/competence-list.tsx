import { Group, Progress, Text, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { CompetenceRecord } from '../../../../src/contracts/competence';
import { useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { type Column, RowsTable } from '../../components/rows-table';
import { lasted, When } from '../../components/when';

const route = getRouteApi('/agents');
const percent = (share: number) => `${Math.round(100 * share)} %`;

export const COMPETENCE_COLUMNS: Column<CompetenceRecord>[] = [
  {
    name: 'Work',
    width: 'minmax(0, 1.2fr)',
    cell: ({ task_type, card_id }) =>
      card_id === null ? (
        task_type
      ) : (
        <AnchorLink to="/cards/$id" params={{ id: card_id }}>
          {task_type}
        </AnchorLink>
      ),
  },
  {
    name: 'Sure of at least',
    width: 'minmax(0, 1fr)',
    cell: (record) => (
      <>
        <Text size="sm" className="numbers">
          {percent(record.lower_bound_now)}
        </Text>
        <Progress
          size="xs"
          value={100 * record.lower_bound_now}
          aria-label={`at least ${percent(record.lower_bound_now)}`}
        />
      </>
    ),
  },
  {
    name: 'Worked',
    width: '110px',
    align: 'right',
    cell: ({ completed, attempts }) => `${completed} of ${attempts}`,
  },
  {
    name: 'Cost each',
    width: '90px',
    align: 'right',
    wideOnly: true,
    cell: ({ cost_mean }) => (cost_mean === null ? '—' : cost_mean.toPrecision(3)),
  },
  {
    name: 'Takes',
    width: '90px',
    align: 'right',
    wideOnly: true,
    cell: ({ duration_ms_mean: ms }) => (ms === null ? '—' : lasted(ms)),
  },
  { name: 'Last', width: '110px', wideOnly: true, cell: ({ last_at }) => <When at={last_at} /> },
];

/** Who is good at what: the lower end of what the counts allow, faded by the days since. */
export function CompetenceList() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useRows<CompetenceRecord>('agents', '/v1/competence', {
    task_type: search.task_type,
    team: search.team,
  });
  const set = (name: 'task_type' | 'team', value: string) =>
    void navigate({
      search: (now) => ({ ...now, [name]: value.trim() || undefined }),
      replace: true,
    });
  return (
    <>
      <Group mb="sm" align="flex-end">
        {(
          [
            ['task_type', 'Kind of work'],
            ['team', 'Team'],
          ] as const
        ).map(([name, label]) => (
          <TextInput
            key={`${name} ${search[name] ?? ''}`}
            label={label}
            placeholder="all"
            defaultValue={search[name] ?? ''}
            onBlur={(event) => set(name, event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') set(name, event.currentTarget.value);
            }}
            w={190}
          />
        ))}
      </Group>
      <RowsTable
        label="Competence"
        rows={rows}
        keyOf={({ agent, task_type }) => `${agent} ${task_type}`}
        height="calc(100vh - 350px)"
        open={({ agent }) => void navigate({ to: '/agents/$id', params: { id: agent } })}
        columns={[
          {
            name: 'Agent',
            width: 'minmax(0, 1fr)',
            cell: ({ agent }) => (
              <AnchorLink to="/agents/$id" params={{ id: agent }} fw={550}>
                {agent}
              </AnchorLink>
            ),
          },
          ...COMPETENCE_COLUMNS,
        ]}
        empty={
          <Empty title="Nothing is known yet">
            Work that was given to an agent (`delegation` events) is counted here.
          </Empty>
        }
      />
    </>
  );
}
