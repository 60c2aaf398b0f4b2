import {
  Autocomplete,
  Button,
  Modal,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { PRINCIPAL_KINDS, type PrincipalKind } from '../../../../src/contracts/names';
import type { Agent, ApiKey, Person } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useDoing } from '../../components/doing';
import { fromField } from '../../components/local-time';

const SAYS: Readonly<Record<PrincipalKind, string>> = {
  person: 'Signs in here, with the rights of the person’s role.',
  agent: 'Reads and writes as this one agent; it becomes known by its key.',
  runtime: 'Tells what many agents did, and asks for each of them.',
};

interface Values {
  kind: PrincipalKind;
  id: string;
  name: string;
  expires: string;
  rate: number | string;
}

export function NewKey({
  made,
  close,
  person,
}: {
  made(key: string, of: string): void;
  close(): void;
  /** Whom it is for, where that is known. */
  person?: string;
}) {
  const form = useForm<Values>({
    initialValues: { kind: 'person', id: person ?? '', name: '', expires: '', rate: '' },
    validate: {
      id: (id) => (id.trim() === '' ? 'Say whom it is for' : null),
      expires: (at) =>
        at !== '' && Date.parse(fromField(at) ?? '') <= Date.now() ? 'This is over already' : null,
    },
  });
  const { kind } = form.values;
  const people = useRows<Person>('people', '/v1/people', {}, { enabled: person === undefined });
  const agents = useRows<Agent>('agents', '/v1/agents', {}, { enabled: kind === 'agent' });
  const make = useDoing<Values, { data: ApiKey & { key?: string } }>({
    call: ({ id, name, expires, rate }) => {
      const end = fromField(expires);
      return send('/v1/keys', {
        method: 'POST',
        body: {
          principal: { kind, id: id.trim() },
          ...(name.trim() === '' ? {} : { name: name.trim() }),
          ...(end === null ? {} : { expires_at: end }),
          ...(rate === '' ? {} : { requests_per_minute: Number(rate) }),
        },
      });
    },
    touches: ['keys', 'agents'],
    then: ({ data }) => made(data.key ?? '', data.principal.id),
  });
  return (
    <Modal opened onClose={close} title="New key" centered>
      <form onSubmit={form.onSubmit((values) => make.mutate(values))}>
        <Stack gap="sm">
          {person === undefined && (
            <SegmentedControl
              aria-label="What the key is for"
              data={[...PRINCIPAL_KINDS]}
              value={kind}
              onChange={(to) => form.setValues({ kind: to as PrincipalKind, id: '' })}
            />
          )}
          <Text size="sm" c="dimmed">
            {SAYS[kind]}
          </Text>
          {kind === 'person' ? (
            <Select
              label="Person"
              placeholder="choose"
              data={
                person === undefined
                  ? people.items.map(({ id, name, role }) => ({
                      value: id,
                      label: `${name} (${id}, ${role})`,
                    }))
                  : [{ value: person, label: person }]
              }
              searchable
              readOnly={person !== undefined}
              nothingFoundMessage="Nobody of that name: make them under People first"
              required
              {...form.getInputProps('id')}
              value={form.values.id === '' ? null : form.values.id}
              onChange={(id) => form.setFieldValue('id', id ?? '')}
            />
          ) : kind === 'agent' ? (
            <Autocomplete
              label="Agent"
              data={agents.items.map(({ id }) => id)}
              limit={20}
              required
              {...form.getInputProps('id')}
            />
          ) : (
            <TextInput
              label="Runtime"
              description="A name of your own for what runs the agents"
              required
              {...form.getInputProps('id')}
            />
          )}
          <TextInput
            label="What for"
            placeholder="laptop, staging…"
            {...form.getInputProps('name')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label="Ends"
              type="datetime-local"
              description="Empty: it has no end"
              {...form.getInputProps('expires')}
            />
            <NumberInput
              label="Requests a minute"
              description="Empty: what the policy says"
              min={1}
              max={1_000_000}
              allowDecimal={false}
              {...form.getInputProps('rate')}
            />
          </SimpleGrid>
          <Button type="submit" loading={make.isPending}>
            Make the key
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
