import type { Card } from '../../contracts/card';
import { RECALLED_STATUSES, type Via } from '../../contracts/names';
import { logAccess } from '../../store/access-log';
import type { CardFilter } from '../../store/card-filter';
import { CONSOLIDATION } from '../../store/card-writes-note';
import { listCards, readCard, type VisibleCard } from '../../store/cards';
import type { Tx } from '../../store/database';
import { newId } from '../../store/ids';
import { recordRecall } from '../../store/recall-write';
import type { ReaderArguments } from '../../store/visible-cards';
import type { ApiDependencies } from '../app';
import { type Caller, surfaceOf } from '../authentication';
import { readerOf } from '../card-rights';
import { notFound } from '../problem';

/** Wisdom notes: what consolidation summed up, as insight cards, for whoever sees them. */

const WRITER = { kind: 'system', id: CONSOLIDATION } as const;
const FILTER: CardFilter = {
  ...{ kind: ['insight'], status: RECALLED_STATUSES, writer: WRITER },
  ...{ sign: null, agent: null, team: null, subject: null, service: null, operation: null },
  ...{ terms: null, deletedSince: null, since: null, until: null, flag: null, event: null },
  scope: null,
};

/** The newest first; the caller logs what of it is shown. */
export async function wisdomPage(
  tx: Tx,
  reader: ReaderArguments,
  page: { after: readonly [recordedAt: string, id: string] | null; limit: number },
): Promise<VisibleCard[]> {
  return (await listCards(tx, reader, FILTER, page)).cards;
}

/**
 * One of them. What an agent reads goes into its prompt, and is recorded as what a recall injects is.
 * @throws Problem 404
 */
export async function readWisdom(deps: ApiDependencies, caller: Caller, id: string): Promise<Card> {
  const reader = readerOf(caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const seen = await readCard(tx, reader, id);
    if (seen === null || !isWisdom(seen.card)) throw notFound('wisdom note');
    await recordReading(tx, caller, reader[5], seen);
    return seen.card;
  });
}

function isWisdom({ kind, status, provenance: { writer } }: Card): boolean {
  const isInUse = RECALLED_STATUSES.some((one) => one === status);
  return isInUse && kind === 'insight' && writer.kind === WRITER.kind && writer.id === WRITER.id;
}

/** No log, no answer: it commits with the read. */
async function recordReading(
  tx: Tx,
  caller: Caller,
  at: Date,
  { card: { id, version }, vias }: { card: Card; vias: Via[] },
): Promise<void> {
  const { context } = caller;
  const surface = surfaceOf(caller, 'wisdom');
  if (context.agent === null) {
    await logAccess(tx, context, { surface, at, cards: [{ id, vias }] });
    return;
  }
  await recordRecall(tx, {
    id: newId('recall', at),
    ...{ at, context, surface },
    intent: 'look_up',
    profile: 'fleet',
    contextVersion: `${id}@${version}`,
    degraded: [],
    cards: [{ id, score: 1, vias }],
    sectionOf: new Map([[id, 'lessons']]),
  });
}
