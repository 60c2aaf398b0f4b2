import { Table, Text } from '@mantine/core';
import type { Card } from '../../../../src/contracts/card';
import { send } from '../../api/http';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Loaded } from '../../components/loaded';
import { When } from '../../components/when';
import { type CardGrant, pathOf } from './wire';

const MOST = 500;

/** Grants with purpose and end; each can be taken back. */
export function GrantsTable({ card }: { card: Card }) {
  const grants = useOne<Page<CardGrant>>('cards', pathOf(card.id, '/grants'), { limit: MOST });
  return (
    <Loaded query={grants} lines={2}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nobody.
          </Text>
        ) : (
          <Table.ScrollContainer
            minWidth={460}
            scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
          >
            <Table verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Whom</Table.Th>
                  <Table.Th>Purpose</Table.Th>
                  <Table.Th>Until</Table.Th>
                  <Table.Th>Since</Table.Th>
                  <Table.Th>Take back</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((grant) => (
                  <GrantRow
                    key={`${grant.type} ${grant.agent ?? grant.group}`}
                    card={card}
                    grant={grant}
                  />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )
      }
    </Loaded>
  );
}

function GrantRow({ card, grant }: { card: Card; grant: CardGrant }) {
  const isAgent = grant.type === 'explicit';
  const name = (isAgent ? grant.agent : grant.group) ?? '';
  const kind = isAgent ? 'grants' : 'group-grants';
  const may = useMay(`DELETE /v1/cards/:id/${kind}/:${isAgent ? 'agent' : 'group'}`);
  const isOver = grant.expires_at !== null && new Date(grant.expires_at) <= new Date();
  const revoke = useDoing<void>({
    call: () => send(pathOf(card.id, `/${kind}/${encodeURIComponent(name)}`), { method: 'DELETE' }),
    done: `${name} no longer sees it by this grant.`,
    touches: ['cards'],
  });
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{isAgent ? name : `group ${name}`}</Table.Td>
      <Table.Td className="told">{grant.purpose ?? '—'}</Table.Td>
      <Table.Td>
        {isOver && 'ended '}
        <When at={grant.expires_at} none="it is taken back" />
      </Table.Td>
      <Table.Td>
        <When at={grant.created_at} />
      </Table.Td>
      <Table.Td>
        {may && (
          <DoButton
            doing={revoke}
            aria-label={`Revoke the grant of ${name}`}
            onClick={() =>
              confirm({
                title: `Revoke the grant of ${name}?`,
                says: 'The very next read no longer sees the card by it. Whoever sees it in another way keeps it.',
                yes: 'Revoke',
                danger: true,
                onYes: () => revoke.mutate(),
              })
            }
          >
            Revoke
          </DoButton>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
