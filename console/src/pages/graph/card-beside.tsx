import { Button, CloseButton, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconShieldPause, IconTopologyStar3 } from '@tabler/icons-react';
import type { CardGraph, GraphNode } from '../../../../src/contracts/graph';
import { RECALLED_STATUSES } from '../../../../src/contracts/names';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { askReason } from '../../components/ask-reason';
import { CardById } from '../../components/card-by-id';
import { DoButton, useDoing } from '../../components/doing';
import { Facts } from '../../components/facts';
import { ButtonLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { EDGE_FORMS } from './forms';
import classes from './graph.module.css';
import { EdgeSample } from './samples';
import type { Shown } from './shown';
import { standingWords } from './words';

/** A recall is asked with so much of a card's words. */
const QUERY_CHARS = 200;

interface BesideProps {
  id: string;
  graph: CardGraph;
  shown: Shown;
  isExpanded: boolean;
  isCenter: boolean;
  select(id: string | null): void;
  expand(id: string): void;
  center(id: string): void;
  again(): void;
}

/** The card at hand: what it says, what it is tied to, and what can be done about it. */
export function CardBeside(props: BesideProps) {
  const { id, graph, shown, isExpanded, isCenter, select, expand, center } = props;
  const node = graph.nodes.find((one) => one.id === id);
  const ties = shown.edges.filter(({ from, to }) => from === id || to === id);
  const mayRecall = useMay('POST /v1/recall');
  return (
    <Panel
      title="Card"
      actions={<CloseButton aria-label="Close the card" size="sm" onClick={() => select(null)} />}
    >
      <Stack gap="sm">
        <CardById id={id} lines={6} />
        {node !== undefined && (
          <Facts
            rows={[
              ['Edges', `${ties.length} shown of ${node.degree}`],
              ['Standing', node.open_conflict || node.satisfied ? standingWords(node) : null],
              ['Agent', node.agent],
            ]}
          />
        )}
        <Group gap="xs">
          <ButtonLink to="/cards/$id" params={{ id }} variant="filled">
            Open the card
          </ButtonLink>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTopologyStar3 size={14} aria-hidden />}
            disabled={isExpanded}
            onClick={() => expand(id)}
          >
            {isExpanded ? 'Neighbours loaded' : 'Load neighbours'}
          </Button>
          {!isCenter && (
            <Button size="xs" variant="default" onClick={() => center(id)}>
              Only around it
            </Button>
          )}
          {mayRecall && node !== undefined && (
            <ButtonLink
              to="/recall"
              search={{
                q: node.summary.slice(0, QUERY_CHARS),
                agent: node.agent ?? undefined,
                asked: '1',
              }}
            >
              Recall lab
            </ButtonLink>
          )}
          {node !== undefined && <Quarantine node={node} again={props.again} />}
        </Group>
        {ties.length > 0 && <Ties {...props} ties={ties} />}
      </Stack>
    </Panel>
  );
}

function Ties({ id, shown, select, ties }: BesideProps & { ties: Shown['edges'] }) {
  const summaries = new Map(shown.nodes.map((node) => [node.id, node.summary]));
  return (
    <div>
      <Text size="xs" fw={600} c="dimmed" mb={2}>
        Tied to
      </Text>
      <ul className={classes.list}>
        {ties.map(({ id: edge, type, from, to }) => {
          const isOut = from === id;
          const other = isOut ? to : from;
          return (
            <li key={edge}>
              <UnstyledButton className={classes.neighbour} onClick={() => select(other)}>
                <span>
                  <EdgeSample type={type} />
                </span>
                <span style={{ minWidth: 0 }}>
                  <Text span size="xs" c="dimmed">
                    {isOut
                      ? `this card ${EDGE_FORMS[type].label}`
                      : `${EDGE_FORMS[type].label} this card`}
                  </Text>
                  <Text span size="sm" lineClamp={2} className="told">
                    {summaries.get(other) ?? other}
                  </Text>
                </span>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Quarantine({ node, again }: { node: GraphNode; again(): void }) {
  const may = useMay('POST /v1/cards/:id/quarantine');
  const doing = useDoing<string | undefined>({
    call: (reason) =>
      send(`/v1/cards/${encodeURIComponent(node.id)}/quarantine`, {
        method: 'POST',
        body: { reason },
      }),
    done: 'Quarantined, until somebody releases it.',
    touches: ['cards', 'proposals'],
    then: again,
  });
  if (!may || !RECALLED_STATUSES.some((status) => status === node.status)) return null;
  const ask = () =>
    askReason({
      title: 'Quarantine this card?',
      says: 'Only people see it, until somebody releases it.',
      yes: 'Quarantine',
      danger: true,
      onYes: (reason) => doing.mutate(reason),
    });
  return (
    <DoButton doing={doing} leftSection={<IconShieldPause size={14} aria-hidden />} onClick={ask}>
      Quarantine
    </DoButton>
  );
}
