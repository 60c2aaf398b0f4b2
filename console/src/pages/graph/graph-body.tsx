import { Button, Group, Loader, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import type { CardGraph } from '../../../../src/contracts/graph';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { CardBeside } from './card-beside';
import { Contradictions } from './contradictions';
import { FilterBar } from './filter-bar';
import classes from './graph.module.css';
import type { Places } from './layout';
import { Legend } from './legend';
import { type Shown, shownOf, spanOf } from './shown';
import { TableView } from './table-view';
import { TimeSlider } from './time-slider';
import { MOST_EXPANDED, type View, type ViewSearch } from './use-view';
import { counted, spoken } from './words';

/** Who looks at the table needs none of what draws. */
const CardMap = lazy(async () => ({ default: (await import('./card-map')).CardMap }));
const HEARD_AFTER_MS = 150;

interface BodyProps {
  graph: CardGraph;
  view: View;
  changing: boolean;
  change(changes: ViewSearch, step?: boolean): void;
  again(): void;
}

/** What was loaded, through the filters: as map or table, with the card at hand beside it. */
export function GraphBody({ graph, view, changing, change, again }: BodyProps) {
  const navigate = useNavigate();
  const places = useRef<Places>(new Map());
  const span = useMemo(() => spanOf(graph.nodes), [graph]);
  // While the slider moves, the address stays.
  const [moving, setMoving] = useState<{ until: number | null } | null>(null);
  const stands = view.until === undefined ? null : Date.parse(view.until);
  const until = moving === null ? stands : moving.until;
  const { kinds, edgeTypes, sign, hidesLone, words, card } = view;
  const shown = useMemo(
    () => shownOf(graph, { kinds, edgeTypes, sign, hidesLone, words, until }),
    [graph, kinds, edgeTypes, sign, hidesLone, words, until],
  );
  const selected = card === undefined || card === 'none' ? null : card;
  // A card that the address names by itself is closed by a word of its own.
  const select = (id: string | null) =>
    change({ card: id ?? (view.center === undefined ? undefined : 'none') });
  const expand = (id: string) => {
    if (!view.expanded.includes(id))
      change({ open: [...view.expanded, id].slice(-MOST_EXPANDED).join(',') }, true);
  };
  const center = (id: string) =>
    change({ center: id, card: undefined, open: undefined, before: undefined }, true);
  const open = (id: string) => void navigate({ to: '/cards/$id', params: { id } });

  return (
    <>
      <FilterBar view={view} nodes={graph.nodes} change={change} />
      <Legend view={view} shown={shown} change={change} />
      <Group justify="space-between" gap="xs" my="xs" mih={26}>
        <Group gap="xs">
          <Counts graph={graph} shown={shown} />
          {changing && <Loader size="xs" role="status" aria-label="Loading more" />}
        </Group>
        <Ways graph={graph} view={view} change={change} />
      </Group>
      <div className={classes.body}>
        <div style={{ minWidth: 0 }}>
          {graph.nodes.length === 0 ? (
            <Nothing />
          ) : view.table !== null ? (
            <TableView
              shown={shown}
              list={view.table}
              selected={selected}
              select={select}
              turn={(list) => change({ list: list === 'edges' ? list : undefined }, true)}
              again={again}
            />
          ) : (
            <Suspense fallback={<Skeleton className={classes.frame} />}>
              <CardMap
                graph={graph}
                shown={shown}
                selected={selected}
                places={places.current}
                select={select}
                expand={expand}
                open={open}
              />
            </Suspense>
          )}
          {span !== null && (
            <TimeSlider
              nodes={graph.nodes}
              span={span}
              until={until}
              moving={(at) => setMoving({ until: at })}
              chosen={(at) => {
                setMoving(null);
                change({ until: at === null ? undefined : new Date(at).toISOString() });
              }}
            />
          )}
        </div>
        <aside className={classes.aside} aria-label="Beside the graph">
          {selected !== null && (
            <CardBeside
              key={selected}
              id={selected}
              graph={graph}
              shown={shown}
              isExpanded={view.expanded.includes(selected)}
              isCenter={view.center === selected}
              select={select}
              expand={expand}
              center={center}
              again={again}
            />
          )}
          <Contradictions graph={shown} select={select} expand={expand} />
        </aside>
      </div>
      <Heard graph={graph} shown={shown} selected={selected} />
    </>
  );
}

function Counts({ graph, shown }: { graph: CardGraph; shown: Shown }) {
  const { nodes, edges, found } = shown;
  const loaded = graph.nodes.length;
  return (
    <Text size="sm" role="status" className="numbers">
      {counted(nodes.length, 'card')} and {counted(edges.length, 'edge')}
      {nodes.length < loaded && ` of ${counted(loaded, 'card')} loaded`}
      {found !== null && `, ${found.size.toLocaleString()} of them lit up`}
    </Text>
  );
}

/** To what is not loaded, and back. */
function Ways({ graph, view, change }: Pick<BodyProps, 'graph' | 'view' | 'change'>) {
  const oldest = graph.nodes.reduce<string | null>(
    (least, { recorded_at: at }) => (least === null || at < least ? at : least),
    null,
  );
  return (
    <Group gap="xs">
      {view.center !== undefined && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => change({ center: undefined, depth: undefined, card: undefined }, true)}
        >
          All cards
        </Button>
      )}
      {view.expanded.length > 0 && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => change({ open: undefined }, true)}
        >
          Without the {view.expanded.length} expanded
        </Button>
      )}
      {view.before !== undefined && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => change({ before: undefined, until: undefined }, true)}
        >
          Newest cards
        </Button>
      )}
      {graph.truncated && view.center === undefined && oldest !== null && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => change({ before: oldest, until: undefined }, true)}
        >
          Older cards
        </Button>
      )}
      {graph.truncated && (
        <Text size="xs" c="dimmed">
          There are more than these.
        </Text>
      )}
    </Group>
  );
}

function Nothing() {
  return (
    <Empty title="No cards here">
      Nothing that you may see passes these filters.{' '}
      <AnchorLink to="/graph" search={{}} underline="always">
        Look at all of them
      </AnchorLink>
    </Empty>
  );
}

/** The card at hand, for who walks over the map without seeing it. */
function Heard({
  graph,
  shown,
  selected,
}: {
  graph: CardGraph;
  shown: Shown;
  selected: string | null;
}) {
  const [heard] = useDebouncedValue(selected, HEARD_AFTER_MS);
  const node = heard === null ? undefined : graph.nodes.find(({ id }) => id === heard);
  const edges = shown.edges.filter(({ from, to }) => from === heard || to === heard).length;
  return (
    <VisuallyHidden role="status">{node === undefined ? '' : spoken(node, edges)}</VisuallyHidden>
  );
}
