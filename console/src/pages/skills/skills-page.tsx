import { Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { SKILL_STATUSES, type SkillEntry } from '../../../../src/contracts/skill';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { PageHead } from '../../components/page-head';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { SkillBadge } from './marks';
import { scopeText } from './scope';
import { WriteSkill } from './write-skill';

const route = getRouteApi('/skills');
const TYPING_MS = 250;

const COLUMNS: Column<SkillEntry>[] = [
  {
    name: 'Skill',
    width: 'minmax(0, 2fr)',
    cell: (skill) => (
      <>
        <AnchorLink
          to="/skills/$name"
          params={{ name: skill.name }}
          search={{ scope: scopeText(skill.scope) }}
          fw={550}
        >
          {skill.name}
        </AnchorLink>
        <Text size="xs" c="dimmed" lineClamp={2} className="told">
          {skill.description}
        </Text>
      </>
    ),
  },
  { name: 'Status', width: '100px', cell: ({ status }) => <SkillBadge status={status} /> },
  {
    name: 'Version',
    width: '90px',
    align: 'right',
    cell: ({ version, latest_version: latest }) =>
      version === null
        ? `draft ${latest}`
        : version === latest
          ? version
          : `${version} of ${latest}`,
  },
  {
    name: 'Whose',
    width: 'minmax(0, 0.8fr)',
    wideOnly: true,
    cell: ({ scope }) => (scope.type === 'workspace' ? 'everybody' : `${scope.type} ${scope.id}`),
  },
  { name: 'Since', width: '110px', wideOnly: true, cell: (row) => <When at={row.created_at} /> },
];

/** Procedures that worked, each with the tests that it is held to. */
export function SkillsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay('POST /v1/skills');
  const rows = useRows<SkillEntry>('skills', '/v1/skills', {
    query: search.query,
    status: search.status,
  });
  const set = (name: 'query' | 'status', value: string | null) =>
    // A query finds skills that are in use: the API takes one of the two.
    void navigate({ search: { [name]: value || undefined }, replace: true });
  const typed = useDebouncedCallback((value: string) => set('query', value), TYPING_MS);
  return (
    <>
      <PageHead
        title="Skills"
        says="Ways of working that were learned or written down; a version is used once its tests pass."
        actions={mayWrite && <WriteSkill />}
      />
      <Group mb="sm" align="flex-end">
        <TextInput
          label="Search"
          placeholder="send a batch"
          leftSection={<IconSearch size={16} aria-hidden />}
          defaultValue={search.query ?? ''}
          onChange={(event) => typed(event.currentTarget.value)}
          data-page-search
          w={280}
          maw="100%"
        />
        <Select
          label="Status"
          placeholder="all"
          data={[...SKILL_STATUSES]}
          value={search.status ?? null}
          onChange={(value) => set('status', value)}
          clearable
          w={150}
        />
      </Group>
      <RowsTable
        label="Skills"
        rows={rows}
        columns={COLUMNS}
        keyOf={(skill) => skill.card_id}
        rowHeight={64}
        open={(skill) =>
          void navigate({
            to: '/skills/$name',
            params: { name: skill.name },
            search: { scope: scopeText(skill.scope) },
          })
        }
        height="calc(100vh - 290px)"
        empty={
          <Empty title="No skills yet">
            A skill is learned when a task that took several tries works out, or written down here.
          </Empty>
        }
      />
    </>
  );
}
