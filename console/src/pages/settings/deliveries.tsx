import { Badge, Button, Select, Text } from '@mantine/core';
import { IconCheck, IconClockHour4, IconX } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import {
  DELIVERY_STATES,
  type DeliveryError,
  type DeliveryState,
  type WebhookDelivery,
} from '../../../../src/contracts/webhook';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { DoButton, useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import { Panel } from '../../components/panel';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';

const route = getRouteApi('/settings');

/** Tries leave no row in the log, so the stream does not tell of them. */
const WATCH_MS = 2_500;

const ERROR_SAYS: Readonly<Record<DeliveryError, string>> = {
  timeout: 'No whole answer in time',
  unresolved: 'The name of its host leads nowhere',
  address_refused: 'It leads where no webhook may go',
  url_refused: 'Not https, which the policy asks for',
  unreachable: 'No connection, or it broke',
  tls: 'Its certificate is not good',
  bad_answer: 'What came back is no HTTP',
  redirected: 'It redirects, which is not followed',
  gone: 'It says that it is gone',
  status: 'It refused',
  internal: 'A fault of Cairn',
};

export function Deliveries({ id, close }: { id: string; close(): void }) {
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const at = DELIVERY_STATES.find((one) => one === state);
  const path = `/v1/webhooks/${encodeURIComponent(id)}/deliveries`;
  const rows = useRows<WebhookDelivery>('webhooks', path, { state: at });
  const mayRetry = useMay('POST /v1/webhooks/:id/deliveries/:n/retry');
  const retry = useDoing<number>({
    call: (n) => send(`${path}/${n}/retry`, { method: 'POST' }),
    done: 'It is sent once more',
    touches: ['webhooks'],
  });
  const waits = rows.items.some((one) => one.state === 'pending');
  const { again } = rows;
  useEffect(() => {
    if (!waits) return;
    const timer = setInterval(again, WATCH_MS);
    return () => clearInterval(timer);
  }, [waits, again]);
  const columns: Column<WebhookDelivery>[] = [
    { name: 'No.', width: '56px', align: 'right', cell: ({ n }) => n },
    {
      name: 'Told',
      width: 'minmax(0, 1fr)',
      cell: ({ type, created_at }) => (
        <>
          <Text size="sm" truncate>
            {type}
          </Text>
          <Text size="xs" c="dimmed">
            <When at={created_at} />
          </Text>
        </>
      ),
    },
    { name: 'State', width: '112px', cell: (one) => <StateBadge state={one.state} /> },
    {
      name: 'What came of it',
      width: 'minmax(0, 1.3fr)',
      wideOnly: true,
      cell: (one) => (
        <Text size="xs" className="told">
          {outcome(one)}
        </Text>
      ),
    },
    {
      name: 'Next try',
      width: '120px',
      wideOnly: true,
      cell: ({ next_at }) => <When at={next_at} />,
    },
    {
      name: 'Action',
      width: '76px',
      cell: (one) =>
        mayRetry && (
          <DoButton
            doing={{ isPending: retry.isPending && retry.variables === one.n }}
            size="compact-xs"
            onClick={() => retry.mutate(one.n)}
          >
            Retry
          </DoButton>
        ),
    },
  ];
  return (
    <Panel
      title={`What ${id} was told`}
      says="In the last 30 days, newest first"
      actions={
        <>
          <Select
            aria-label="Which deliveries"
            size="xs"
            w={130}
            placeholder="all"
            clearable
            clearButtonProps={{ 'aria-label': 'Show all deliveries' }}
            data={[...DELIVERY_STATES]}
            value={at ?? null}
            onChange={(to) =>
              void navigate({
                search: { tab: 'webhooks', webhook: id, state: to ?? undefined },
              })
            }
          />
          <Button size="xs" variant="subtle" color="gray" onClick={close}>
            Close
          </Button>
        </>
      }
    >
      <RowsTable
        label={`Deliveries of ${id}`}
        rows={rows}
        columns={columns}
        keyOf={({ n }) => `${n}`}
        height={380}
        empty={<Empty title="Nothing yet">A ping tries whether it is reached.</Empty>}
      />
    </Panel>
  );
}

function outcome({ last_error, last_status, attempts, delivered_at }: WebhookDelivery): string {
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
  const said = last_status === null ? '' : `, answered ${last_status}`;
  if (delivered_at !== null) return `Taken after ${tries}${said}`;
  if (last_error === null) return attempts === 0 ? 'Not tried yet' : tries;
  return `${ERROR_SAYS[last_error]} (${tries}${said})`;
}

function StateBadge({ state }: { state: DeliveryState }) {
  const [color, Icon] = {
    pending: ['blue', IconClockHour4] as const,
    delivered: ['green', IconCheck] as const,
    failed: ['red', IconX] as const,
  }[state];
  return (
    <Badge
      size="sm"
      variant="light"
      color={color}
      tt="none"
      leftSection={<Icon size={12} aria-hidden />}
    >
      {state}
    </Badge>
  );
}
