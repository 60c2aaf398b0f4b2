import { Button, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { CardGraph, GraphNode } from '../../../../src/contracts/graph';
import type { Proposal } from '../../../../src/contracts/proposal';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { ButtonLink } from '../../components/links';
import { Panel } from '../../components/panel';
import classes from './graph.module.css';
import { KindSample } from './samples';
import { openConflicts } from './shown';

/** What two cards say otherwise, each with the way to where it is decided. */
export function Contradictions({
  graph,
  select,
  expand,
}: {
  graph: Pick<CardGraph, 'nodes' | 'edges'>;
  select(id: string): void;
  expand(id: string): void;
}) {
  const mayDecide = useMay('GET /v1/proposals');
  const { pairs, single } = openConflicts(graph);
  const query = { type: 'contradiction', status: 'open', limit: 100 };
  const { data } = useOne<Page<Proposal>>('proposals', '/v1/proposals', query, {
    enabled: mayDecide && pairs.length > 0,
  });
  const count = pairs.length + single.length;
  return (
    <Panel title={`Open contradictions (${count})`}>
      {count === 0 ? (
        <Text size="sm" c="dimmed">
          None among these cards.
        </Text>
      ) : (
        <ul className={classes.list}>
          {pairs.map(([one, other]) => {
            const proposal = data?.items.find(({ evidence }) =>
              [one, other].every(({ id }) => evidence.includes(id)),
            );
            return (
              <li key={`${one.id} ${other.id}`}>
                <Stack gap={2} mb="sm">
                  <Side node={one} select={select} />
                  <Side node={other} select={select} />
                  {mayDecide && (
                    <Group pl={6}>
                      {proposal === undefined ? (
                        <ButtonLink to="/inbox" search={{ type: 'contradiction' }}>
                          To the inbox
                        </ButtonLink>
                      ) : (
                        <ButtonLink to="/inbox/$id" params={{ id: proposal.id }}>
                          Decide
                        </ButtonLink>
                      )}
                    </Group>
                  )}
                </Stack>
              </li>
            );
          })}
          {single.map((node) => (
            <li key={node.id}>
              <Side node={node} select={select} />
              <Button size="compact-xs" variant="subtle" onClick={() => expand(node.id)}>
                Load its other side
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Side({ node, select }: { node: GraphNode; select(id: string): void }) {
  return (
    <UnstyledButton className={classes.neighbour} onClick={() => select(node.id)}>
      <span>
        <KindSample kind={node.kind} />
      </span>
      <Text span size="sm" lineClamp={2} className="told">
        {node.summary}
      </Text>
    </UnstyledButton>
  );
}
