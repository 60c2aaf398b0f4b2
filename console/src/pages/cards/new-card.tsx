import {
  Button,
  Group,
  Modal,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { Card } from '../../../../src/contracts/card';
import { CARD_KINDS, SCOPE_TYPES, SIGNS, VISIBILITIES } from '../../../../src/contracts/names';
import { send } from '../../api/http';
import { useSession } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { fromField } from '../../components/local-time';
import { AgentInput, TeamInput } from './name-inputs';
import { wordOf } from './words';

const MOST = 2_000;

const EMPTY = {
  summary: '',
  kind: 'knowledge',
  sign: 'neutral',
  scopeType: 'workspace',
  scopeId: '',
  visibility: 'private',
  topic: '',
  subject: '',
  key: '',
  service: '',
  operation: '',
  importance: '' as number | string,
  expires: '',
};
type Fields = typeof EMPTY;

/** Writes a card by hand; the server redacts it as it does everything. */
export function NewCard({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <Modal opened={opened} onClose={close} title="New card" size="xl">
      <NewCardForm close={close} />
    </Modal>
  );
}

function NewCardForm({ close }: { close(): void }) {
  const { workspace } = useSession();
  const navigate = useNavigate();
  const form = useForm<Fields>({
    initialValues: EMPTY,
    validate: {
      summary: (text) => (text.trim() === '' ? 'Say what is to be known' : null),
      scopeId: (id, { scopeType }) =>
        scopeType !== 'workspace' && id.trim() === '' ? `Name the ${scopeType}` : null,
    },
  });
  const write = useDoing<Fields, Card & { reason?: string }>({
    call: async (fields) =>
      (await send<Card>('/v1/cards', { method: 'POST', body: bodyOf(fields, workspace.id) })).data,
    done: ({ status }) =>
      status === 'quarantined'
        ? 'Written, and held back: it reads like an instruction. Release it where that is meant.'
        : 'Written.',
    touches: ['cards'],
    then: ({ id }) => void navigate({ to: '/cards/$id', params: { id } }),
  });
  const { scopeType } = form.values;
  return (
    <form onSubmit={form.onSubmit((fields) => write.mutate(fields))}>
      <Stack gap="sm">
        <Textarea
          label="What is to be known"
          description={`About three sentences, as an agent will read them · ${form.values.summary.length.toLocaleString()} of ${MOST.toLocaleString()}`}
          required
          autosize
          minRows={3}
          maxRows={10}
          maxLength={MOST}
          data-autofocus
          {...form.getInputProps('summary')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="sm">
          <Select
            label="Kind"
            data={CARD_KINDS.map((kind) => ({ value: kind, label: wordOf('kind', kind) }))}
            allowDeselect={false}
            {...form.getInputProps('kind')}
          />
          <Select
            label="Sign"
            data={[...SIGNS]}
            allowDeselect={false}
            {...form.getInputProps('sign')}
          />
          <Select
            label="Whose"
            data={[...SCOPE_TYPES].reverse()}
            allowDeselect={false}
            {...form.getInputProps('scopeType')}
            onChange={(type) => form.setValues({ scopeType: type ?? 'workspace', scopeId: '' })}
          />
          {scopeType === 'agent' && (
            <AgentInput label="Agent" required {...form.getInputProps('scopeId')} />
          )}
          {scopeType === 'team' && (
            <TeamInput label="Team" required {...form.getInputProps('scopeId')} />
          )}
          <Select
            label="Visibility"
            data={[...VISIBILITIES]}
            allowDeselect={false}
            {...form.getInputProps('visibility')}
          />
          <TextInput label="Topic" maxLength={200} {...form.getInputProps('topic')} />
          <TextInput
            label="About whom"
            description="A subject’s id"
            {...form.getInputProps('subject')}
          />
          <TextInput
            label="Key"
            description="The card of this key before it is superseded"
            {...form.getInputProps('key')}
          />
          <TextInput label="Service" maxLength={200} {...form.getInputProps('service')} />
          <TextInput label="Operation" maxLength={200} {...form.getInputProps('operation')} />
          <NumberInput
            label="Importance"
            description="1 to 10; empty counts as 5"
            min={1}
            max={10}
            allowDecimal={false}
            {...form.getInputProps('importance')}
          />
          <TextInput
            type="datetime-local"
            label="Expires"
            description="Empty: as the policy says"
            {...form.getInputProps('expires')}
          />
        </SimpleGrid>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={write.isPending}>
            Write the card
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function bodyOf(fields: Fields, workspace: string): Record<string, unknown> {
  const given = (text: string) => (text.trim() === '' ? undefined : text.trim());
  const service = given(fields.service);
  const operation = given(fields.operation);
  return {
    summary: fields.summary.trim(),
    kind: fields.kind,
    sign: fields.sign,
    scope: {
      type: fields.scopeType,
      id: fields.scopeType === 'workspace' ? workspace : fields.scopeId.trim(),
    },
    visibility: fields.visibility,
    topic: given(fields.topic),
    subject: given(fields.subject),
    key: given(fields.key),
    hints: service === undefined && operation === undefined ? undefined : { service, operation },
    importance: fields.importance === '' ? undefined : Number(fields.importance),
    expires_at: fromField(fields.expires) ?? undefined,
  };
}
