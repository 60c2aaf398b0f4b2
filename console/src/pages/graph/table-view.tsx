import { SegmentedControl, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { GraphEdge, GraphNode } from '../../../../src/contracts/graph';
import type { Rows } from '../../api/paging';
import { CardMarks } from '../../components/card-marks';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { EDGE_FORMS } from './forms';
import { EdgeSample, KindSample } from './samples';
import type { Shown } from './shown';
import { standingWords } from './words';

interface TableProps {
  shown: Shown;
  list: 'cards' | 'edges';
  selected: string | null;
  select(id: string): void;
  turn(list: 'cards' | 'edges'): void;
  again(): void;
}

const CARD_COLUMNS: Column<GraphNode>[] = [
  {
    name: 'Card',
    width: 'minmax(0, 3fr)',
    cell: (node) => (
      <>
        <Text size="sm" lineClamp={1} className="told">
          <KindSample kind={node.kind} size={11} /> {node.summary}
        </Text>
        <CardMarks card={node} />
      </>
    ),
  },
  {
    name: 'Standing',
    width: 'minmax(0, 1.1fr)',
    cell: (node) => <Text size="sm">{standingWords(node)}</Text>,
  },
  { name: 'Agent', width: 'minmax(0, 1fr)', cell: ({ agent }) => agent ?? '—', wideOnly: true },
  { name: 'Edges', width: '60px', align: 'right', cell: ({ degree }) => degree },
  {
    name: 'Recorded',
    width: '110px',
    cell: ({ recorded_at }) => <When at={recorded_at} />,
    wideOnly: true,
  },
];

/** The same cards and edges as on the map, as lists. */
export function TableView({ shown, list, selected, select, turn, again }: TableProps) {
  const { nodes, edges, found } = shown;
  const cards = found === null ? nodes : nodes.filter(({ id }) => found.has(id));
  const summaries = useMemo(() => new Map(nodes.map(({ id, summary }) => [id, summary])), [nodes]);
  const columns: Column<GraphEdge>[] = [
    {
      name: 'From',
      width: 'minmax(0, 2fr)',
      cell: ({ from }) => <Summary text={summaries.get(from)} />,
    },
    {
      name: 'Edge',
      width: '130px',
      cell: ({ type }) => (
        <Text size="sm">
          <EdgeSample type={type} /> {EDGE_FORMS[type].label}
        </Text>
      ),
    },
    { name: 'To', width: 'minmax(0, 2fr)', cell: ({ to }) => <Summary text={summaries.get(to)} /> },
    {
      name: 'Confidence',
      width: '100px',
      align: 'right',
      cell: ({ confidence }) => confidence.toFixed(2),
      wideOnly: true,
    },
    {
      name: 'Since',
      width: '110px',
      cell: ({ created_at }) => <When at={created_at} />,
      wideOnly: true,
    },
  ];
  return (
    <>
      <SegmentedControl
        aria-label="What to list"
        size="xs"
        mb="xs"
        value={list}
        onChange={(value) => turn(value === 'edges' ? 'edges' : 'cards')}
        data={[
          { value: 'cards', label: `Cards (${cards.length.toLocaleString()})` },
          { value: 'edges', label: `Edges (${edges.length.toLocaleString()})` },
        ]}
      />
      {list === 'cards' ? (
        <RowsTable
          label="Cards of the graph"
          rows={rowsOf(cards, again)}
          columns={CARD_COLUMNS}
          keyOf={({ id }) => id}
          open={({ id }) => select(id)}
          selected={selected ?? undefined}
          height="max(430px, calc(100vh - 370px))"
        />
      ) : (
        <RowsTable
          label="Edges of the graph"
          rows={rowsOf(edges, again)}
          columns={columns}
          keyOf={({ id }) => id}
          open={({ from }) => select(from)}
          height="max(430px, calc(100vh - 370px))"
        />
      )}
    </>
  );
}

function Summary({ text }: { text: string | undefined }) {
  return (
    <Text size="sm" lineClamp={2} className="told">
      {text}
    </Text>
  );
}

/** What is here already, as a list of the API. */
function rowsOf<T>(items: T[], again: () => void): Rows<T> {
  return {
    items,
    total: items.length,
    capped: false,
    error: null,
    loading: false,
    changing: false,
    more: false,
    loadingMore: false,
    loadMore: () => undefined,
    again,
  };
}
