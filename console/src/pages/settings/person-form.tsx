import { Button, Checkbox, Modal, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PERSON_ROLES, type PersonRole } from '../../../../src/contracts/names';
import type { Person } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';

const ROLE_SAYS: Readonly<Record<PersonRole, string>> = {
  owner: 'Everything; a workspace keeps one',
  operator: 'Policy, keys, people, passes, erasures; decides no proposals',
  reviewer: 'Decides proposals, edits cards',
  auditor: 'Reads everything, the logs too; changes nothing',
  member: 'Sees what is about their own subject',
};

interface Values {
  id: string;
  name: string;
  role: PersonRole;
  subject: string;
  email: string;
  forgetEmail: boolean;
}

export function PersonForm({
  person,
  mayMakeOwners,
  close,
}: {
  person: Person | null;
  mayMakeOwners: boolean;
  close(): void;
}) {
  const form = useForm<Values>({
    initialValues: {
      id: person?.id ?? '',
      name: person?.name ?? '',
      role: person?.role ?? 'reviewer',
      subject: person?.subject ?? '',
      email: '',
      forgetEmail: false,
    },
    validate: {
      id: (id) => (id.trim() === '' ? 'It needs an id' : null),
      name: (name) => (name.trim() === '' ? 'It needs a name' : null),
    },
  });
  const save = useDoing<Values>({
    call: ({ id, name, role, subject, email, forgetEmail }) =>
      send(`/v1/people/${encodeURIComponent(id.trim())}`, {
        method: 'PUT',
        body: {
          name: name.trim(),
          role,
          subject: subject.trim() === '' ? null : subject.trim(),
          ...(forgetEmail ? { email: null } : email.trim() === '' ? {} : { email: email.trim() }),
        },
      }),
    done: person === null ? 'Made; a key lets them in' : 'Saved; it holds from the next request on',
    touches: ['people', 'subjects', 'session'],
    then: close,
  });
  return (
    <Modal
      opened
      onClose={close}
      title={person === null ? 'New person' : `Change ${person.id}`}
      centered
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: person === null ? 2 : 1 }}>
            {person === null && <TextInput label="Id" required {...form.getInputProps('id')} />}
            <TextInput label="Name" required {...form.getInputProps('name')} />
          </SimpleGrid>
          <Select
            label="Role"
            description={ROLE_SAYS[form.values.role]}
            data={PERSON_ROLES.filter((role) => mayMakeOwners || role !== 'owner')}
            allowDeselect={false}
            {...form.getInputProps('role')}
          />
          <TextInput
            label="Is the subject"
            description="What is about this subject is about this person; a member sees no more than that"
            {...form.getInputProps('subject')}
          />
          <TextInput
            label="E-mail"
            description="Only a token of it is kept"
            placeholder={person?.email ?? ''}
            type="email"
            disabled={form.values.forgetEmail}
            {...form.getInputProps('email')}
          />
          {person !== null && person.email !== null && (
            <Checkbox
              label="Forget the address"
              {...form.getInputProps('forgetEmail', { type: 'checkbox' })}
            />
          )}
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {person === null ? 'Make the person' : 'Save'}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
