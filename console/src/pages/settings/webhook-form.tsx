import { Button, Checkbox, Modal, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../../../../src/contracts/webhook';
import { send } from '../../api/http';
import { useDoing } from '../../components/doing';

const EVENT_SAYS: Readonly<Record<Exclude<WebhookEvent, 'ping'>, string>> = {
  'proposal.opened': 'Something waits for a decision',
  'proposal.reminder': 'It still waits',
  'proposal.decided': 'It was decided, or expired',
  'config_fix.approved': 'A fix may be applied',
  'config_fix.closed': 'A fix was proven, reopened or lapsed',
  'insight.urgent': 'A finding is urgent',
  'run.failed': 'A pass failed, or could not do all',
  'erasure.completed': 'An erasure is proven',
  'card.quarantined': 'A card is held back until a person looks',
};

type SecretWay = 'same' | 'made' | 'own';

interface Values {
  id: string;
  url: string;
  events: string[];
  way: SecretWay;
  secret: string;
}

export function WebhookForm({
  webhook,
  made,
  close,
}: {
  webhook: Webhook | null;
  /** The secret that was made for it. */
  made(id: string, secret: string): void;
  close(): void;
}) {
  const form = useForm<Values>({
    initialValues: {
      id: webhook?.id ?? '',
      url: webhook?.url ?? '',
      events: webhook?.events ?? ['proposal.opened', 'run.failed'],
      way: webhook === null ? 'made' : 'same',
      secret: '',
    },
    validate: {
      id: (id) => (id.trim() === '' ? 'It needs a name' : null),
      url: (url) => (url.trim() === '' ? 'Where is it?' : null),
      events: (events) => (events.length === 0 ? 'Choose at least one' : null),
      secret: (secret, { way }) =>
        way === 'own' && !/^[\x21-\x7e]{16,200}$/.test(secret)
          ? 'At least 16 printable characters, without blanks'
          : null,
    },
  });
  const save = useDoing<Values, { data: Webhook & { signing_secret?: string } }>({
    call: ({ id, url, events, way, secret }) =>
      send(`/v1/webhooks/${encodeURIComponent(id.trim())}`, {
        method: 'PUT',
        body: {
          url: url.trim(),
          events,
          ...(way === 'same' ? {} : { secret: way === 'own' ? secret : null }),
        },
      }),
    done: webhook === null ? 'Made; a ping tries it' : 'Saved',
    touches: ['webhooks'],
    then: ({ data }) => {
      close();
      if (data.signing_secret !== undefined) made(data.id, data.signing_secret);
    },
  });
  return (
    <Modal
      opened
      onClose={close}
      title={webhook === null ? 'New webhook' : `Change ${webhook.id}`}
      size="lg"
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="sm">
          {webhook === null && (
            <TextInput label="Its name" required {...form.getInputProps('id')} />
          )}
          <TextInput
            label="Address"
            description="https and public, unless the policy allows private addresses"
            placeholder="https://hooks.example.com/cairn"
            required
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label="Told of" required {...form.getInputProps('events')}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} mt={6} spacing={8}>
              {WEBHOOK_EVENTS.filter((event) => event !== 'ping').map((event) => (
                <Checkbox key={event} value={event} label={event} description={EVENT_SAYS[event]} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Radio.Group
            label="Secret"
            description="Deliveries are signed with it"
            {...form.getInputProps('way')}
          >
            <Stack gap={6} mt={6}>
              {webhook !== null && <Radio value="same" label="Leave it as it is" />}
              <Radio value="made" label="Have a new one made, and shown once" />
              <Radio value="own" label="One of my own" />
            </Stack>
          </Radio.Group>
          {form.values.way === 'own' && (
            <TextInput
              label="The secret"
              autoComplete="off"
              spellCheck={false}
              required
              {...form.getInputProps('secret')}
            />
          )}
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
            {webhook === null ? 'Make the webhook' : 'Save'}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
