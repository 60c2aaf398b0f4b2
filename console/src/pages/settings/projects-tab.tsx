import { Badge, Group, SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconLock } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import type { Column } from '../../components/rows-table';
import { When } from '../../components/when';
import { ChangeButton, DirectoryTab, NameAndId } from './directory-tab';
import { NamedForm } from './named-form';

const route = getRouteApi('/settings');

/** Work that ends: closed, its episodes leave recall. */
export function ProjectsTab() {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const at = status === 'open' || status === 'closed' ? status : undefined;
  const rows = useRows<Project>('projects', '/v1/projects', { status: at });
  const may = useMay('PUT /v1/projects/:id');
  const mayClose = useMay('POST /v1/projects/:id/close');
  const [edited, setEdited] = useState<Project | 'new' | null>(null);
  const close = useDoing<string>({
    call: (id) => send(`/v1/projects/${encodeURIComponent(id)}/close`, { method: 'POST' }),
    done: 'Closed',
    touches: ['projects', 'cards', 'conversations'],
  });
  const columns: Column<Project>[] = [
    { name: 'Project', width: 'minmax(0, 1.4fr)', cell: (row) => <NameAndId {...row} /> },
    {
      name: 'State',
      width: '100px',
      cell: ({ status: now }) => (
        <Badge
          size="sm"
          variant="light"
          tt="none"
          color={now === 'open' ? 'green' : 'gray'}
          leftSection={
            now === 'open' ? (
              <IconCircleCheck size={12} aria-hidden />
            ) : (
              <IconLock size={12} aria-hidden />
            )
          }
        >
          {now}
        </Badge>
      ),
    },
    { name: 'Closed', width: '130px', wideOnly: true, cell: (row) => <When at={row.closed_at} /> },
    { name: 'Made', width: '130px', wideOnly: true, cell: (row) => <When at={row.created_at} /> },
    {
      name: 'Action',
      width: 'clamp(76px, 12vw, 134px)',
      cell: (project) => (
        <Group gap={4}>
          {may && <ChangeButton of={project.id} onClick={() => setEdited(project)} />}
          {mayClose && project.status === 'open' && (
            <DoButton
              doing={{ isPending: close.isPending && close.variables === project.id }}
              size="compact-xs"
              onClick={() =>
                confirm({
                  title: `Close the project ${project.id}?`,
                  says: 'What it left comes back in a recall only where the project is asked for, and its conversations are archived. It is not opened again.',
                  yes: 'Close it',
                  onYes: () => close.mutate(project.id),
                })
              }
            >
              Close
            </DoButton>
          )}
        </Group>
      ),
    },
  ];
  return (
    <DirectoryTab
      label="Projects"
      says="Work that begins and ends. What was learned in one that is closed is kept, and no longer in the way."
      add="New project"
      onAdd={may ? () => setEdited('new') : undefined}
      filter={
        <SegmentedControl
          aria-label="Which projects"
          size="xs"
          data={[
            { value: 'all', label: 'All' },
            { value: 'open', label: 'Open' },
            { value: 'closed', label: 'Closed' },
          ]}
          value={at ?? 'all'}
          onChange={(to) =>
            void navigate({
              search: { tab: 'projects', status: to === 'all' ? undefined : to },
            })
          }
        />
      }
      rows={rows}
      columns={columns}
      empty={
        <Empty title={at === undefined ? 'No project yet' : `No project is ${at}`}>
          Events and conversations name their project; it can be made here before they do.
        </Empty>
      }
    >
      {edited !== null && (
        <NamedForm
          what="project"
          path="/v1/projects"
          topic="projects"
          named={edited === 'new' ? null : edited}
          close={() => setEdited(null)}
        />
      )}
    </DirectoryTab>
  );
}
