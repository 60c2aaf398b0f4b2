import type { CardEdge } from '../contracts/card';
import type { CardStory, StoryProposal, StoryVersion } from '../contracts/story';
import { logAccess, type SeenCard } from '../store/access-log';
import { readHistory } from '../store/card-history';
import { readEdges, readLineage } from '../store/card-relations';
import { readExposure, readInjections, readOrigin } from '../store/card-story';
import type { VisibleCard } from '../store/cards';
import { briefCards, type SeenBrief } from '../store/cards-brief';
import type { Tx } from '../store/database';
import { listProposals } from '../store/proposals-read';
import { readRun } from '../store/runs';
import type { ReaderArguments } from '../store/visible-cards';
import type { Caller } from './authentication';
import { maySeePast, requireCard, requireInspection } from './card-rights';
import { proposalReaderOf } from './proposal-view';

/** Of each list; a page each has the rest. */
const MOST = 50;

/**
 * Everything that is known of a card, for whoever may look into it: its own agent and people who govern.
 * Cards that the reader cannot see are not in it, and nothing says that they are there.
 *
 * @throws Problem 404, or 403 for whoever may see the card and not look into it
 */
export async function storyOf(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  id: string,
): Promise<CardStory> {
  const visible = await requireCard(tx, reader, id);
  const { card } = visible;
  requireInspection(caller, card);
  const origin = await readOrigin(tx, card.provenance.event_id);
  const run = origin === null ? null : await readRun(tx, origin.operationId, null);
  const { seen: relatives, ...lineage } = await readLineage(tx, reader, card.id);
  const edges = await readEdges(tx, reader, card.id);
  const proposals = await proposalsAbout(tx, caller, card.id);
  const versions = await versionsOf(tx, caller, visible);
  const exposure = await readExposure(tx, card.id, MOST);
  const injections = await readInjections(tx, card.id, MOST);

  const newest = edges.slice(0, MOST);
  const successor = card.superseded_by === undefined ? [] : [card.superseded_by];
  const named = [
    ...newest.map(({ other }) => other.id),
    ...successor,
    ...proposals.flatMap(({ evidence }) => evidence),
  ];
  const briefs = await briefCards(tx, reader, [...new Set(named)]);
  await logAccess(tx, caller.context, {
    surface: 'cards.story',
    at: reader[5],
    cards: once([
      { id: card.id, vias: visible.vias },
      ...relatives,
      ...[...briefs.values()].map(({ card: other, vias }) => ({ id: other.id, vias })),
    ]),
  });

  const { provenance } = card;
  const { sources, derived } = lineage;
  return {
    card: {
      id: card.id,
      kind: card.kind,
      sign: card.sign,
      status: card.status,
      summary: card.summary,
      agent: visible.agent ?? (card.scope.type === 'agent' ? card.scope.id : null),
      version: card.version,
      scope: card.scope,
      visibility: card.visibility,
      trust: card.trust,
      confidence: card.confidence,
    },
    why: {
      event: origin?.event ?? null,
      operation: run === null ? null : operationOf(run),
      recorded_at: card.recorded_at,
      written_by: provenance.writer,
      distilled_by: provenance.distilled_by,
      model: provenance.model,
      prompt_version: provenance.prompt_version,
      workflow_id: provenance.workflow_id,
      run_id: provenance.run_id,
      sources: sources.slice(0, MOST),
    },
    became: {
      superseded_by: briefs.get(successor[0] ?? '')?.card ?? null,
      versions,
      edges: newest.flatMap(({ other, ...edge }) => withOther(edge, briefs.get(other.id))),
      derived: derived.slice(0, MOST),
      proposals: proposals
        .slice(0, MOST)
        .map((one) => ({ ...one, evidence: one.evidence.filter((other) => briefs.has(other)) })),
    },
    seen: exposure,
    injected: injections,
    truncated: truncatedOf({
      versions: maySeePast(caller, card) && card.version > versions.length,
      edges: edges.length > MOST,
      lineage: lineage.truncated || Math.max(sources.length, derived.length) > MOST,
      proposals: proposals.length > MOST,
      seen: exposure.by.reduce((sum, { reads }) => sum + reads, 0) < exposure.reads,
      injected: injections.latest.length < injections.recalls,
    }),
  };
}

/** Newest first; an old one only for whoever may see what was. */
async function versionsOf(tx: Tx, caller: Caller, { card }: VisibleCard): Promise<StoryVersion[]> {
  const only = maySeePast(caller, card) ? null : card.version;
  const page = { after: Math.max(0, card.version - MOST), limit: MOST };
  const versions = await readHistory(tx, card.id, only, page);
  return versions
    .map(({ version, at, actor, action, changed, after }) => ({
      ...{ version, at, actor, action, changed, status: after.status, scope: after.scope },
    }))
    .reverse();
}

async function proposalsAbout(tx: Tx, caller: Caller, card: string): Promise<StoryProposal[]> {
  const filter = { status: null, type: null, team: null, card };
  const page = { after: null, limit: MOST };
  const { rows } = await listProposals(tx, proposalReaderOf(caller), filter, page);
  return rows.map(({ id, type, status, version, created_at, closed_at, evidence }) => ({
    ...{ id, type, status, version, created_at, closed_at, evidence },
  }));
}

function operationOf(run: NonNullable<Awaited<ReturnType<typeof readRun>>>) {
  const { id, type, status, workflow_id, run_id, started_at, finished_at } = run;
  return { id, type, status, workflow_id, run_id, started_at, finished_at };
}

function withOther(edge: CardEdge, other: SeenBrief | undefined) {
  return other === undefined ? [] : [{ ...edge, other: other.card }];
}

/** A card that is named twice in an answer was read once. */
function once(cards: readonly SeenCard[]): SeenCard[] {
  return [...new Map(cards.map((card) => [card.id, card])).values()];
}

function truncatedOf(
  lists: Record<CardStory['truncated'][number], boolean>,
): CardStory['truncated'] {
  return (Object.keys(lists) as CardStory['truncated']).filter((list) => lists[list]);
}
