import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconBan, IconCheck, IconClockOff, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey } from '../../../../src/contracts/principal';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import { IdText } from '../../components/id-text';
import { AnchorLink } from '../../components/links';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { NewKey } from './new-key';
import { RotateKey } from './rotate-key';
import { type Secret, SecretOnce } from './secret-once';

type KeyState = 'good' | 'revoked' | 'ran out';

function stateOf({ revoked_at, expires_at }: ApiKey): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return 'ran out';
  return 'good';
}

/** Whom each key stands for, when it was used, and what ends it. */
export function KeysTab() {
  const rows = useRows<ApiKey>('keys', '/v1/keys');
  const mayMake = useMay('POST /v1/keys');
  const mayRotate = useMay('POST /v1/keys/:id/rotate');
  const mayRevoke = useMay('DELETE /v1/keys/:id');
  const [open, setOpen] = useState<'new' | ApiKey | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const revoke = useDoing<string>({
    call: (id) => send(`/v1/keys/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    done: 'Revoked: it opens nothing any more',
    touches: ['keys'],
  });
  const show = (key: string, of: string) => {
    setOpen(null);
    setSecret({
      title: `The key of ${of}`,
      says: 'Give it to whom it is for. Cairn keeps a fingerprint of it, and cannot show it again.',
      value: key,
    });
  };
  const columns: Column<ApiKey>[] = [
    {
      name: 'For',
      width: 'minmax(0, 1.4fr)',
      cell: ({ principal: { kind, id }, name }) => (
        <>
          <Text size="sm" fw={550} truncate title={id}>
            {kind === 'agent' ? (
              <AnchorLink to="/agents/$id" params={{ id }} fw={550}>
                {id}
              </AnchorLink>
            ) : (
              id
            )}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {kind}
            {name === null ? '' : ` · ${name}`}
          </Text>
        </>
      ),
    },
    {
      name: 'State',
      width: '92px',
      cell: (key) => <KeyBadge state={stateOf(key)} />,
    },
    {
      name: 'Last used',
      width: '120px',
      wideOnly: true,
      cell: ({ last_used_at }) => <When at={last_used_at} none="never" />,
    },
    {
      name: 'Ends',
      width: '120px',
      wideOnly: true,
      cell: ({ expires_at, revoked_at }) => <When at={revoked_at ?? expires_at} none="never" />,
    },
    {
      name: 'A minute',
      width: '90px',
      wideOnly: true,
      align: 'right',
      cell: ({ requests_per_minute: rate }) => rate?.toLocaleString() ?? 'policy',
    },
    {
      name: 'Key',
      width: '150px',
      wideOnly: true,
      cell: ({ id, replaces }) => (
        <>
          <IdText id={id} short />
          {replaces !== null && (
            <Text size="xs" c="dimmed" title={replaces}>
              took the place of …{replaces.slice(-4)}
            </Text>
          )}
        </>
      ),
    },
    {
      name: 'Action',
      width: 'clamp(76px, 12vw, 138px)',
      cell: (key) =>
        stateOf(key) === 'good' && (
          <Group gap={4} wrap="wrap">
            {mayRotate && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => setOpen(key)}
                aria-label={`Rotate the key of ${key.principal.id}`}
              >
                Rotate
              </Button>
            )}
            {mayRevoke && (
              <DoButton
                doing={{ isPending: revoke.isPending && revoke.variables === key.id }}
                size="compact-xs"
                onClick={() =>
                  confirm({
                    title: `Revoke this key of ${key.principal.id}?`,
                    says: 'Whoever uses it is refused from the next request on, and sessions begun with it end.',
                    yes: 'Revoke it',
                    danger: true,
                    onYes: () => revoke.mutate(key.id),
                  })
                }
              >
                Revoke
              </DoButton>
            )}
          </Group>
        ),
    },
  ];
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" style={{ flex: '1 1 260px' }}>
          A key says who asks. People sign in with theirs; agents and runtimes send it with each
          request.
        </Text>
        {mayMake && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            New key
          </Button>
        )}
      </Group>
      <RowsTable
        label="Keys"
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        height="calc(100vh - 340px)"
        empty={<Empty title="No key">Nobody but the owner of the installation comes in.</Empty>}
      />
      {open === 'new' && <NewKey made={show} close={() => setOpen(null)} />}
      {open !== null && open !== 'new' && (
        <RotateKey old={open} made={show} close={() => setOpen(null)} />
      )}
      {secret !== null && <SecretOnce secret={secret} close={() => setSecret(null)} />}
    </Stack>
  );
}

function KeyBadge({ state }: { state: KeyState }) {
  const [color, Icon] =
    state === 'good'
      ? (['green', IconCheck] as const)
      : state === 'revoked'
        ? (['red', IconBan] as const)
        : (['gray', IconClockOff] as const);
  return (
    <Badge
      variant="light"
      size="sm"
      color={color}
      tt="none"
      leftSection={<Icon size={12} aria-hidden />}
    >
      {state}
    </Badge>
  );
}
