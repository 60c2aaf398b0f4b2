import { Button, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Webhook, WebhookDelivery } from '../../../../src/contracts/webhook';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import type { Column } from '../../components/rows-table';
import { When } from '../../components/when';
import { Deliveries } from './deliveries';
import { ChangeButton, DirectoryTab } from './directory-tab';
import { type Secret, SecretOnce } from './secret-once';
import { WebhookForm } from './webhook-form';

const route = getRouteApi('/settings');

/** Whom Cairn tells of what, and what came of it. */
export function WebhooksTab() {
  const { webhook: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const rows = useRows<Webhook>('webhooks', '/v1/webhooks');
  const mayPut = useMay('PUT /v1/webhooks/:id');
  const mayPing = useMay('POST /v1/webhooks/:id/ping');
  const mayRemove = useMay('DELETE /v1/webhooks/:id');
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const show = (id: string | undefined) =>
    void navigate({ search: { tab: 'webhooks', webhook: id } });
  const ping = useDoing<string, { data: WebhookDelivery }>({
    call: (id) => send(`/v1/webhooks/${encodeURIComponent(id)}/ping`, { method: 'POST' }),
    done: ({ data }) => `Delivery ${data.n} is on its way`,
    touches: ['webhooks'],
    then: (_, id) => show(id),
  });
  const remove = useDoing<string>({
    call: (id) => send(`/v1/webhooks/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    done: 'It is told nothing more',
    touches: ['webhooks'],
    then: () => show(undefined),
  });
  const columns: Column<Webhook>[] = [
    {
      name: 'Webhook',
      width: 'minmax(0, 1.3fr)',
      cell: ({ id, url }) => (
        <>
          <Text size="sm" fw={550} truncate>
            {id}
          </Text>
          <Text size="xs" c="dimmed" truncate title={url}>
            {url}
          </Text>
        </>
      ),
    },
    {
      name: 'Told of',
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ events }) => (
        <Text size="xs" lineClamp={2}>
          {events.join(', ')}
        </Text>
      ),
    },
    {
      name: 'Secret',
      width: '100px',
      wideOnly: true,
      cell: ({ has_secret }) => (has_secret ? 'your own' : 'made here'),
    },
    {
      name: 'Changed',
      width: '120px',
      wideOnly: true,
      cell: (row) => <When at={row.changed_at} />,
    },
    {
      name: 'Action',
      width: 'clamp(80px, 16vw, 196px)',
      cell: (hook) => (
        <Group gap={4}>
          {mayPing && (
            <DoButton
              doing={{ isPending: ping.isPending && ping.variables === hook.id }}
              size="compact-xs"
              onClick={() => ping.mutate(hook.id)}
            >
              Ping
            </DoButton>
          )}
          {mayPut && <ChangeButton of={hook.id} onClick={() => setEdited(hook)} />}
          {mayRemove && (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${hook.id}`}
              onClick={() =>
                confirm({
                  title: `Remove the webhook ${hook.id}?`,
                  says: 'It is told nothing more, and the list of its deliveries goes with it.',
                  yes: 'Remove it',
                  danger: true,
                  onYes: () => remove.mutate(hook.id),
                })
              }
            >
              Remove
            </Button>
          )}
        </Group>
      ),
    },
  ];
  return (
    <Stack>
      <DirectoryTab
        label="Webhooks"
        says="Servers that are told what waits for a person or went wrong: ids and codes, signed, and tried again until taken."
        add="New webhook"
        onAdd={mayPut ? () => setEdited('new') : undefined}
        rows={rows}
        columns={columns}
        open={({ id }) => show(id)}
        selected={opened}
        height={opened === undefined ? undefined : 260}
        empty={
          <Empty title="Nobody is told">
            A webhook tells a server of yours when a proposal waits, a pass fails, an insight is
            urgent.
          </Empty>
        }
      >
        {edited !== null && (
          <WebhookForm
            webhook={edited === 'new' ? null : edited}
            close={() => setEdited(null)}
            made={(id, value) =>
              setSecret({
                title: `The signing secret of ${id}`,
                says: 'Whoever receives the deliveries checks their signature with it. A new one can be made; this one is not shown again.',
                value,
              })
            }
          />
        )}
        {secret !== null && <SecretOnce secret={secret} close={() => setSecret(null)} />}
      </DirectoryTab>
      {opened !== undefined && (
        <Deliveries key={opened} id={opened} close={() => show(undefined)} />
      )}
    </Stack>
  );
}
