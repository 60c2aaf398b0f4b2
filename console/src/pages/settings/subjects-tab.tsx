import { Badge, Group } from '@mantine/core';
import { IconEyeOff, IconPlayerStop } from '@tabler/icons-react';
import { useState } from 'react';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import type { Column } from '../../components/rows-table';
import { When } from '../../components/when';
import { ChangeButton, DirectoryTab, NameAndId } from './directory-tab';
import { SubjectForm, type SubjectRow } from './subject-form';

/** Whom cards are about. */
export function SubjectsTab() {
  const rows = useRows<SubjectRow>('subjects', '/v1/subjects');
  const may = useMay('PUT /v1/subjects/:id');
  const mayErase = useMay('POST /v1/erasures', 'GET /v1/erasures');
  const [edited, setEdited] = useState<SubjectRow | 'new' | null>(null);
  const columns: Column<SubjectRow>[] = [
    { name: 'Subject', width: 'minmax(0, 1.4fr)', cell: (row) => <NameAndId {...row} /> },
    { name: 'Kind', width: 'minmax(0, 0.7fr)', wideOnly: true, cell: ({ kind }) => kind ?? '—' },
    {
      name: 'Household',
      width: 'minmax(0, 0.7fr)',
      wideOnly: true,
      cell: ({ household }) => household ?? '—',
    },
    { name: 'Memory', width: '96px', cell: (subject) => <Marks subject={subject} /> },
    { name: 'Since', width: '120px', wideOnly: true, cell: (row) => <When at={row.created_at} /> },
    {
      name: 'Action',
      width: 'clamp(84px, 13vw, 160px)',
      cell: (subject) => (
        <Group gap={8}>
          {may && <ChangeButton of={subject.id} onClick={() => setEdited(subject)} />}
          <AnchorLink to="/cards" search={{ subject: subject.id }} size="xs">
            Cards
          </AnchorLink>
          {mayErase && (
            <AnchorLink to="/erasures" search={{ tab: 'ask', subject: subject.id }} size="xs">
              Erase…
            </AnchorLink>
          )}
        </Group>
      ),
    },
  ];
  return (
    <DirectoryTab
      label="Subjects"
      says="People and things that cards are about. What is kept about one can be stopped here, and erased."
      add="New subject"
      onAdd={may ? () => setEdited('new') : undefined}
      rows={rows}
      columns={columns}
      empty={
        <Empty title="No subject yet">
          A subject is made here, or by itself with the first event that is about it.
        </Empty>
      }
    >
      {edited !== null && (
        <SubjectForm subject={edited === 'new' ? null : edited} close={() => setEdited(null)} />
      )}
    </DirectoryTab>
  );
}

function Marks({ subject }: { subject: SubjectRow }) {
  return (
    <Group gap={4}>
      {subject.memory === 'off' ? (
        <Badge
          size="sm"
          variant="light"
          color="orange"
          tt="none"
          leftSection={<IconPlayerStop size={11} aria-hidden />}
        >
          off
        </Badge>
      ) : (
        <Badge size="sm" variant="light" color="gray" tt="none">
          on
        </Badge>
      )}
      {subject.redact_name && (
        <Badge
          size="sm"
          variant="light"
          color="blue"
          tt="none"
          leftSection={<IconEyeOff size={11} aria-hidden />}
        >
          name out
        </Badge>
      )}
    </Group>
  );
}
