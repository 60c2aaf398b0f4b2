import { Checkbox, Stack, Table, Text } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Card } from '../../../../src/contracts/card';
import { type Page, useOne } from '../../api/paging';
import { Loaded } from '../../components/loaded';
import { When } from '../../components/when';
import { VersionDiff } from './version-diff';
import { type CardVersion, pathOf } from './wire';

const route = getRouteApi('/cards/$id');
const MOST = 500;

/** The versions, the newest first; two that are picked are compared. */
export function HistoryTab({ card }: { card: Card }) {
  const history = useOne<Page<CardVersion>>('cards', pathOf(card.id, '/history'), { limit: MOST });
  return (
    <Loaded query={history}>
      {({ items, total }) => <Versions versions={items} total={total} />}
    </Loaded>
  );
}

function Versions({ versions, total }: { versions: readonly CardVersion[]; total: number }) {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/cards/$id' });
  const numbers = versions.map(({ version }) => version);
  // Without a choice: what the newest version changed.
  const to = known(search.to, numbers) ?? numbers.at(-1);
  const from = known(search.from, numbers) ?? numbers.at(-2);
  const picked = [from, to].filter((one) => one !== undefined);
  const pick = (version: number) => {
    const rest = picked.includes(version)
      ? picked.filter((one) => one !== version)
      : [...picked.slice(-1), version];
    const [first, second] = rest.sort((a, b) => a - b);
    void navigate({
      replace: true,
      resetScroll: false,
      search: ({ from: _from, to: _to, ...now }) => ({
        ...now,
        ...(first === undefined ? {} : { from: `${first}` }),
        ...(second === undefined ? {} : { to: `${second}` }),
      }),
    });
  };
  const before = versions.find(({ version }) => version === from);
  const after = versions.find(({ version }) => version === to);
  return (
    <Stack gap="md">
      {versions.length < total && (
        <Text size="sm" c="dimmed">
          The first {versions.length} of {total} versions that you may see.
        </Text>
      )}
      <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={70}>Compare</Table.Th>
              <Table.Th w={70}>Version</Table.Th>
              <Table.Th>What was done</Table.Th>
              <Table.Th>By</Table.Th>
              <Table.Th>When</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...versions].reverse().map((one) => (
              <Table.Tr key={one.version}>
                <Table.Td>
                  <Checkbox
                    size="xs"
                    aria-label={`Compare version ${one.version}`}
                    checked={versions.length > 1 && picked.includes(one.version)}
                    disabled={versions.length < 2}
                    onChange={() => pick(one.version)}
                  />
                </Table.Td>
                <Table.Td className="numbers">{one.version}</Table.Td>
                <Table.Td>
                  {one.action.replaceAll('_', ' ')}
                  {one.before !== null && one.changed.length > 0 && (
                    <Text size="xs" c="dimmed">
                      {one.changed.join(', ')}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {one.actor.kind} {one.actor.id}
                </Table.Td>
                <Table.Td>
                  <When at={one.at} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {before !== undefined && after !== undefined && before !== after ? (
        <VersionDiff before={before} after={after} />
      ) : (
        <Text size="sm" c="dimmed">
          {versions.length < 2
            ? 'This is the only version: nothing was changed since it was written.'
            : 'Pick two versions to see what differs.'}
        </Text>
      )}
    </Stack>
  );
}

function known(text: string | undefined, numbers: readonly number[]): number | undefined {
  const number = Number(text);
  return numbers.includes(number) ? number : undefined;
}
