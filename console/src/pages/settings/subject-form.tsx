import { Button, Modal, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Subject } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';

/** As the API answers; the wire type has one field less. */
export type SubjectRow = Subject & { redact_name: boolean };

interface Values {
  id: string;
  name: string;
  kind: string;
  household: string;
  remembers: boolean;
  redact_name: boolean;
}

export function SubjectForm({ subject, close }: { subject: SubjectRow | null; close(): void }) {
  const form = useForm<Values>({
    initialValues: {
      id: subject?.id ?? '',
      name: subject?.name ?? '',
      kind: subject?.kind ?? '',
      household: subject?.household ?? '',
      remembers: subject?.memory !== 'off',
      redact_name: subject?.redact_name ?? false,
    },
    validate: { id: (id) => (id.trim() === '' ? 'It needs an id' : null) },
  });
  const save = useDoing<Values>({
    call: ({ id, name, kind, household, remembers, redact_name }) => {
      const named = (text: string) => (text.trim() === '' ? null : text.trim());
      return send(`/v1/subjects/${encodeURIComponent(id.trim())}`, {
        method: 'PUT',
        body: {
          name: named(name),
          kind: named(kind),
          household: named(household),
          memory: remembers ? 'on' : 'off',
          redact_name,
        },
      });
    },
    done: 'Saved; it holds from the next request on',
    touches: ['subjects', 'cards', 'runs'],
    then: close,
  });
  return (
    <Modal
      opened
      onClose={close}
      title={subject === null ? 'New subject' : `Change ${subject.id}`}
      centered
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="sm">
          {subject === null && <TextInput label="Id" required {...form.getInputProps('id')} />}
          <TextInput label="Name" {...form.getInputProps('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Kind"
              description="Such as customer or house"
              {...form.getInputProps('kind')}
            />
            <TextInput
              label="Household"
              description="Its people see each other’s shared cards"
              {...form.getInputProps('household')}
            />
          </SimpleGrid>
          <Switch
            label="Remember what is about this subject"
            description="Off: nothing new is kept, and no agent is shown what is; people still see it"
            {...form.getInputProps('remembers', { type: 'checkbox' })}
          />
          <Switch
            label="Take the name out of texts"
            description="Where it stands already, a pass takes it out"
            {...form.getInputProps('redact_name', { type: 'checkbox' })}
          />
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {subject === null ? 'Make the subject' : 'Save'}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
