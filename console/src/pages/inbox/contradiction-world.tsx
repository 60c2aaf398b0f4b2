import { Kbd, Paper, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { Card } from '../../../../src/contracts/card';
import { TRUSTS } from '../../../../src/contracts/names';
import type { ContradictionChange } from '../../../../src/contracts/proposal';
import { useOne } from '../../api/paging';
import { CardLine } from '../../components/card-line';
import { Facts } from '../../components/facts';
import { Failed } from '../../components/failed';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import classes from './inbox-page.module.css';

function useCard(id: string) {
  return useOne<Card>('cards', `/v1/cards/${encodeURIComponent(id)}`);
}

/** Both sides beside each other; which one is kept is chosen here. */
export function ContradictionWorld({
  change,
  winner,
  choose,
}: {
  change: ContradictionChange;
  winner: string | null;
  choose?: (winner: string) => void;
}) {
  const [first, second] = [useCard(change.winner), useCard(change.loser)];
  useHotkeys([
    ['1', () => choose?.(change.winner)],
    ['2', () => choose?.(change.loser)],
  ]);
  const sides = [
    {
      id: change.winner,
      name: 'The first',
      key: '1',
      query: first,
      version: change.card_versions[0],
    },
    {
      id: change.loser,
      name: 'The second',
      key: '2',
      query: second,
      version: change.card_versions[1],
    },
  ];
  const kept = winner ?? change.winner;
  const why = preference(first.data, second.data);
  return (
    <Panel
      title="Both sides"
      says={
        choose === undefined
          ? 'No rule settled it, so a person did'
          : `No rule settles it: neither is newer by enough, proven by others, or surer. Recall shows the first meanwhile${why === null ? '' : `, ${why}`}.`
      }
    >
      <Radio.Group
        aria-label="Which side to keep"
        value={choose === undefined ? '' : kept}
        onChange={(id) => choose?.(id)}
      >
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          {sides.map(({ id, name, key, query, version }) => (
            <Paper
              key={id}
              withBorder
              p="sm"
              className={classes.side}
              data-kept={choose !== undefined && id === kept}
            >
              <Stack gap="sm">
                {choose === undefined ? (
                  <Text fw={600} size="sm">
                    {name}
                  </Text>
                ) : (
                  <Radio
                    value={id}
                    label={
                      <>
                        Keep {name.toLowerCase()} <Kbd size="xs">{key}</Kbd>
                        {id === change.winner && ' · suggested'}
                      </>
                    }
                  />
                )}
                <Loaded query={query}>
                  {(card) => <SideOf card={card} looked={version} open={choose !== undefined} />}
                </Loaded>
              </Stack>
            </Paper>
          ))}
        </SimpleGrid>
      </Radio.Group>
      {first.error !== null && second.error !== null && <Failed error={first.error} />}
    </Panel>
  );
}

function SideOf({ card, looked, open }: { card: Card; looked: number; open: boolean }) {
  const { provenance, scope } = card;
  const event = provenance.event_id;
  return (
    <Stack gap="xs">
      <CardLine card={card} lines={12} />
      {open && card.version !== looked && (
        <Text size="xs" fw={600}>
          It has changed since this was proposed; approving shows you a new version first.
        </Text>
      )}
      <Facts
        rows={[
          ['Holds since', <When key="from" at={card.valid_from} />],
          ['Trusted as', `${card.trust}’s word`],
          ['Confidence', card.confidence.toFixed(2)],
          ['Used', `${card.use_count} times`],
          ['Written by', `${provenance.writer.kind} ${provenance.writer.id}`],
          ['Whose', scope.type === 'workspace' ? 'workspace' : `${scope.type} ${scope.id}`],
          [
            'Evidence',
            event === null ? null : (
              <AnchorLink key="event" to="/captures/$id" params={{ id: event }}>
                what was captured
              </AnchorLink>
            ),
          ],
        ]}
      />
    </Stack>
  );
}

/** By which rule the first one shows: the more trusted, the surer, the newer, in this order. */
function preference(first: Card | undefined, second: Card | undefined): string | null {
  if (first === undefined || second === undefined) return null;
  if (first.trust !== second.trust) {
    return TRUSTS.indexOf(first.trust) < TRUSTS.indexOf(second.trust)
      ? `since it is more trusted: ${first.trust} before ${second.trust}`
      : null;
  }
  if (first.confidence > second.confidence) return 'since it is a little surer';
  if (Date.parse(first.valid_from) > Date.parse(second.valid_from)) {
    return 'since it is a little newer';
  }
  return null;
}
