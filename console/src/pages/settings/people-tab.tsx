import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Person } from '../../../../src/contracts/principal';
import { useRows } from '../../api/paging';
import { useMay, useSession } from '../../app/session-context';
import { Empty } from '../../components/empty';
import type { Column } from '../../components/rows-table';
import { When } from '../../components/when';
import { ChangeButton, DirectoryTab, NameAndId } from './directory-tab';
import { NewKey } from './new-key';
import { PersonForm } from './person-form';
import { type Secret, SecretOnce } from './secret-once';

/** Who may come in, and what each may do. */
export function PeopleTab() {
  const rows = useRows<Person>('people', '/v1/people');
  const { principal } = useSession();
  const mayPut = useMay('PUT /v1/people/:id');
  const mayMakeKey = useMay('POST /v1/keys');
  const [edited, setEdited] = useState<Person | 'new' | null>(null);
  const [keyFor, setKeyFor] = useState<string | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  // Owners alone change owners, and hand out their keys.
  const mayTouch = ({ role }: Person) => role !== 'owner' || principal.role === 'owner';
  const columns: Column<Person>[] = [
    { name: 'Person', width: 'minmax(0, 1.4fr)', cell: (row) => <NameAndId {...row} /> },
    {
      name: 'Role',
      width: '104px',
      cell: ({ role }) => (
        <Badge variant="light" size="sm" tt="none" color={role === 'owner' ? 'lichen' : 'gray'}>
          {role}
        </Badge>
      ),
    },
    {
      name: 'Is the subject',
      width: 'minmax(0, 0.8fr)',
      wideOnly: true,
      cell: ({ subject }) => subject ?? '—',
    },
    {
      name: 'E-mail',
      width: 'minmax(0, 0.9fr)',
      wideOnly: true,
      cell: ({ email }) => (
        <Text size="xs" ff="monospace" truncate title={email ?? undefined}>
          {email ?? '—'}
        </Text>
      ),
    },
    { name: 'Since', width: '120px', wideOnly: true, cell: (row) => <When at={row.created_at} /> },
    {
      name: 'Action',
      width: 'clamp(84px, 13vw, 150px)',
      cell: (person) =>
        mayTouch(person) && (
          <Group gap={4}>
            {mayPut && <ChangeButton of={person.id} onClick={() => setEdited(person)} />}
            {mayMakeKey && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setKeyFor(person.id)}
                aria-label={`New key for ${person.id}`}
              >
                New key
              </Button>
            )}
          </Group>
        ),
    },
  ];
  return (
    <DirectoryTab
      label="People"
      says="Whoever signs in here. A role says what they may do; a member sees what is about their own subject."
      add="New person"
      onAdd={mayPut ? () => setEdited('new') : undefined}
      rows={rows}
      columns={columns}
      empty={<Empty title="Nobody yet" />}
    >
      {edited !== null && (
        <PersonForm
          person={edited === 'new' ? null : edited}
          mayMakeOwners={principal.role === 'owner'}
          close={() => setEdited(null)}
        />
      )}
      {keyFor !== null && (
        <NewKey
          person={keyFor}
          close={() => setKeyFor(null)}
          made={(key, of) => {
            setKeyFor(null);
            setSecret({
              title: `The key of ${of}`,
              says: 'Give it to this person: they sign in with it. Cairn cannot show it again.',
              value: key,
            });
          }}
        />
      )}
      {secret !== null && <SecretOnce secret={secret} close={() => setSecret(null)} />}
    </DirectoryTab>
  );
}
