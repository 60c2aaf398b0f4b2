import { Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Card } from '../../../../src/contracts/card';
import type { Rows } from '../../api/paging';
import { CardMarks } from '../../components/card-marks';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { useFilters } from './filters';
import { RestoreButton } from './restore-button';

const SUMMARY: Column<Card> = {
  name: 'Card',
  width: 'minmax(0, 1fr)',
  cell: (card) => (
    <Stack gap={3} py={2}>
      <AnchorLink to="/cards/$id" params={{ id: card.id }} c="inherit" tabIndex={-1}>
        <Text span inherit lineClamp={2} className="told">
          {card.summary}
        </Text>
      </AnchorLink>
      <CardMarks
        card={{ kind: card.kind, sign: card.sign, status: card.status, flags: card.flags }}
      />
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {ownerOf(card)} · <When at={card.recorded_at} />
      </Text>
    </Stack>
  ),
};

const WHERE: Column<Card> = {
  name: 'Where',
  width: 'minmax(0, 132px)',
  wideOnly: true,
  cell: ({ hints: { service, operation } }) => {
    const where = [service, operation].filter(Boolean).join('.');
    return (
      <Text size="xs" ff="monospace" lineClamp={2} title={where} className="told">
        {where || '—'}
      </Text>
    );
  },
};

const WHOSE: Column<Card> = {
  name: 'Whose',
  width: 'minmax(0, 132px)',
  wideOnly: true,
  cell: (card) => (
    <Text size="xs" lineClamp={2} title={ownerOf(card)} className="told">
      {ownerOf(card)}
    </Text>
  ),
};

const RECORDED: Column<Card> = {
  name: 'Recorded',
  width: '92px',
  wideOnly: true,
  cell: (card) => (
    <Text size="xs">
      <When at={card.recorded_at} />
    </Text>
  ),
};

const USES: Column<Card> = {
  name: 'Uses',
  width: '46px',
  wideOnly: true,
  align: 'right',
  cell: (card) => <Text size="xs">{card.use_count.toLocaleString()}</Text>,
};

const RESTORE: Column<Card> = {
  name: 'Back',
  width: '92px',
  align: 'right',
  cell: (card) => <RestoreButton id={card.id} />,
};

const LIVING = [SUMMARY, WHERE, WHOSE, RECORDED, USES];
const DELETED = [SUMMARY, WHERE, WHOSE, RECORDED, RESTORE];

export function CardsTable({ rows }: { rows: Rows<Card> }) {
  const { search, isDeleted } = useFilters();
  const navigate = useNavigate();
  const isNarrowed = Object.keys(search).some((name) => name !== 'deleted' && name !== 'new');
  return (
    <RowsTable
      label={isDeleted ? 'deleted cards' : 'cards'}
      rows={rows}
      columns={isDeleted ? DELETED : LIVING}
      keyOf={({ id }) => id}
      open={({ id }) => void navigate({ to: '/cards/$id', params: { id } })}
      rowHeight={84}
      height={isNarrowed ? 'calc(100vh - 310px)' : 'calc(100vh - 270px)'}
      empty={
        isNarrowed ? (
          <Empty title="No card is like that">Take a filter away, or search for fewer words.</Empty>
        ) : isDeleted ? (
          <Empty title="Nothing to bring back">
            Deleted cards show here as long as the policy’s restore window lasts.
          </Empty>
        ) : (
          <Empty title="No cards yet">
            A runtime sends events to <code>POST /v1/events</code>, and each that is worth keeping
            becomes a card. One can be written by hand too.
          </Empty>
        )
      }
    />
  );
}

function ownerOf({ scope }: Card): string {
  return scope.type === 'workspace' ? 'workspace' : `${scope.type} ${scope.id}`;
}
