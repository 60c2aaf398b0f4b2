import type { Sign } from '../contracts/names';
import type { Episode } from '../domain/consolidation/episode';
import { topicAgain } from '../domain/consolidation/groups';
import { lessonsOf } from '../domain/consolidation/lessons';
import { standingOf } from '../domain/consolidation/note';
import { lessonsThatFit, noteText } from '../domain/consolidation/note-text';
import { durationMs } from '../domain/durations';
import { bestSource, plainAccount } from '../domain/erasure/account';
import { cardIndexText, lexicalTerms } from '../domain/terms';
import { auditCards } from './audit-cards';
import {
  type ChangedColumns,
  changeCard,
  indexColumns,
  keepFromDistilling,
  queueLateVectors,
  reindexCard,
} from './card-edits';
import { readSources } from './card-writes-episodes';
import { redistilled } from './card-writes-erased-distilled';
import { rewriteSkill } from './card-writes-erased-skill';
import { RELABELLED_TASK } from './card-writes-erased-tasks';
import { answerAsSources, MERGED } from './card-writes-inherited';
import { CONSOLIDATION } from './card-writes-note';
import { wordsOf } from './card-writes-purged';
import type { Tx } from './database';
import { entityRows } from './entity-writes';
import { forgetDrafts } from './erasure-drafts';
import { nextItems, setItems, withoutHeld } from './erasure-items';
import { ERASER, ERASURE, type ErasureWalk, NOTHING_LEFT, type WalkBatch } from './erasure-walk';
import { forgetWords, holdStatistics } from './rollup';
import { policyOf } from './settings';
import { isSkill } from './skills';

/** Each is read with its sources and put into the index anew. */
const CARDS = 20;

/** A derived card that stays, with what it rests on from now on. */
export interface AgainCard {
  id: string;
  version: number;
  event_id: string | null;
  writer_id: string;
  topic: string | null;
  kind: string;
  sign: Sign;
  service: string | null;
  operation: string | null;
  key: string | null;
  subject: string | null;
  agent: string | null;
  team: string | null;
  recorded_at: string;
  /** Cards that it comes of and that go. */
  erased: string[];
  /** Cards that it comes of and that stay, in use or not. */
  sources: string[];
  /** Of `sources` those that are to be written again themselves, and say what goes until then. */
  waiting: string[];
  /** Whether something else was put into its words: by an edge to what goes, by what its task taught, or as its task. */
  quotes: boolean;
}

const GOES = `(i.state IN ('root', 'falls') OR i.state = 'done' AND i.was IN ('root', 'falls'))`;

/** The next to be written again; those first whose own sources are written already. */
async function nextAgain(tx: Tx, erasureId: string): Promise<AgainCard[]> {
  return await tx.query<AgainCard>(
    `SELECT c.id, c.version, c.event_id, c.writer_id, c.topic, c.kind, c.sign, c.service, c.operation, c.key, c.subject,
            c.agent_id AS agent, a.team_id AS team, c.recorded_at,
            COALESCE(s.erased, '{}') AS erased, COALESCE(s.sources, '{}') AS sources,
            COALESCE(s.waiting, '{}') AS waiting,
            COALESCE(s.quotes, false)
              OR EXISTS (SELECT 1 FROM card_versions v
                          WHERE v.workspace_id = $1 AND v.card_id = c.id AND v.action = 'reflected')
              OR starts_with(c.task, $4) AS quotes
       FROM erasure_items o
       JOIN cards c ON c.workspace_id = $1 AND c.id = o.id
       LEFT JOIN agents a ON a.workspace_id = $1 AND a.id = c.agent_id
       LEFT JOIN LATERAL (
         SELECT array_agg(e.to_card) FILTER (WHERE ${GOES}) AS erased,
                array_agg(e.to_card) FILTER (WHERE ${GOES} IS NOT TRUE AND t.purged_at IS NULL
                                               AND t.status NOT IN ('deleted', 'rejected', 'quarantined')) AS sources,
                bool_or(${GOES} AND e.reason <> $3 OR i.state = 'stands' OR i.state = 'done' AND i.was = 'stands') AS quotes,
                array_agg(e.to_card) FILTER (WHERE i.state = 'stands') AS waiting
           FROM edges e
           JOIN cards t ON t.workspace_id = $1 AND t.id = e.to_card
           LEFT JOIN erasure_items i ON i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = 'card' AND i.id = e.to_card
          WHERE e.workspace_id = $1 AND e.from_card = c.id AND e.type = 'derived_from') s ON true
      WHERE o.workspace_id = $1 AND o.erasure_id = $2 AND o.kind = 'card' AND o.state = 'stands'
      ORDER BY s.waiting IS NOT NULL, c.event_id IS NULL AND s.sources <@ s.waiting, c.id
      LIMIT ${CARDS}
        FOR UPDATE OF c`,
    [tx.workspace, erasureId, MERGED, RELABELLED_TASK],
  );
}

/**
 * Writes the next derived cards again that rest on something else too, by the rules that first wrote them: a note from
 * the cards that are left, a card of work from its own event, a skill from the calls that are left, anything else in
 * the words of the best card that bears it out. Of earlier versions number, time, who and what remain.
 */
export async function rewriteDerived(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const { erasureId } = walk;
  const due = await nextItems(tx, erasureId, { kind: 'card', states: ['stands'], limit: 1 });
  if (due.length === 0) return NOTHING_LEFT;
  // Before any card: whoever counts holds the counts first.
  await holdStatistics(tx);
  const cards = await nextAgain(tx, erasureId);
  if (cards.length === 0) return await leaveGone(tx, erasureId);
  const ids = cards.map(({ id }) => id);
  const free = new Set(await withoutHeld(tx, erasureId, 'card', ids));
  const { done, fallen } = await rewrittenInTurn(tx, walk, {
    cards: cards.filter(({ id }) => free.has(id)),
    waiting: new Set(
      cards.flatMap((card) => card.waiting).filter((id) => !ids.includes(id) || free.has(id)),
    ),
  });
  await forgetDrafts(tx, done);
  await queueLateVectors(tx, walk.now);
  await setItems(tx, erasureId, 'card', fallen, 'falls');
  await setItems(tx, erasureId, 'card', done, 'done');
  return { touched: cards.length, purged: {}, more: true };
}

/**
 * Each after what it rests on, so that its words are made of clean ones. Where none is left that waits for nothing, a
 * circle is broken at a card that has something clean beside what it waits for; what is left comes with the next batch.
 */
async function rewrittenInTurn(
  tx: Tx,
  walk: ErasureWalk,
  { cards, waiting }: { cards: readonly AgainCard[]; waiting: Set<string> },
): Promise<{ done: string[]; fallen: string[] }> {
  const [done, fallen]: [string[], string[]] = [[], []];
  const left = [...cards];
  const cleanOf = (card: AgainCard) => card.sources.filter((id) => !waiting.has(id));
  const next = () => {
    const isReady = left.findIndex((card) => cleanOf(card).length === card.sources.length);
    if (isReady !== -1 || done.length + fallen.length > 0) return isReady;
    const breaks = left.findIndex((card) => card.event_id !== null || cleanOf(card).length > 0);
    return breaks === -1 && left.length > 0 ? 0 : breaks;
  };
  for (let at = next(); at !== -1; at = next()) {
    const [card] = left.splice(at, 1) as [AgainCard];
    const isBorneOut = await rewriteOne(tx, walk, { ...card, sources: cleanOf(card) });
    (isBorneOut ? done : fallen).push(card.id);
    if (isBorneOut) waiting.delete(card.id);
    else waiting.add(card.id);
  }
  return { done, fallen };
}

/** Cards that somebody else has purged since. */
async function leaveGone(tx: Tx, erasureId: string): Promise<WalkBatch> {
  await tx.query(
    `UPDATE erasure_items SET state = 'done', was = 'open'
      WHERE workspace_id = $1 AND erasure_id = $2 AND kind = 'card' AND state = 'stands'`,
    [tx.workspace, erasureId],
  );
  return NOTHING_LEFT;
}

/** @returns false where what bore it out is gone meanwhile */
async function rewriteOne(tx: Tx, walk: ErasureWalk, card: AgainCard): Promise<boolean> {
  const { now } = walk;
  const tieMs = durationMs((await policyOf(tx)).resolve.tie);
  const found = await readSources(tx, card.sources, { now, tieMs });
  const sources = card.sources.flatMap((id) => found.get(id) ?? []);
  if (card.event_id === null && sources.length === 0) return false;
  await dropInherited(tx, card);
  if (!card.quotes) return true;
  const words = await wordsOf(tx, [card.id]);
  const columns = await columnsOf(tx, walk, card, sources);
  const { summary, topic = card.topic, keywords = [] } = columns;
  const hints = {
    service: columns.service ?? null,
    operation: columns.operation ?? null,
    task_type: columns.task_type ?? null,
    workflow: columns.workflow ?? null,
    step: columns.step ?? null,
    keywords,
    error_signature: columns.error_signature ?? null,
    error_family: columns.error_family ?? null,
  };
  const indexed = { ...card, summary: summary ?? '', topic, hints };
  const terms = lexicalTerms(cardIndexText(indexed));
  const change = { id: card.id, expected: card.version, actor: ERASER, at: now };
  const version = await changeCard(tx, {
    ...change,
    action: 'rederived',
    columns: { ...columns, ...indexColumns(terms, null) },
  });
  if (version === null) throw new Error('a card whose row is held has moved on');
  await reindexCard(
    tx,
    { id: card.id, version, at: now },
    { terms, entities: entityRows(indexed) },
    null,
  );
  await emptyVersions(tx, card.id, version);
  await forgetWords(tx, words);
  if (card.event_id !== null) await keepFromDistilling(tx, card.event_id);
  if (card.writer_id === CONSOLIDATION) await answerAsSources(tx, card.id, card.sources, now);
  const audited = { at: now, by: ERASURE, action: 'card.rederived', changed: ['summary'] };
  await auditCards(tx, { ...audited, workflowId: walk.workflowId }, [{ id: card.id, version }]);
  return true;
}

async function columnsOf(
  tx: Tx,
  walk: ErasureWalk,
  card: AgainCard,
  sources: Episode[],
): Promise<ChangedColumns> {
  if (card.event_id !== null) return await redistilled(tx, { ...card, event_id: card.event_id });
  const { hints, confidence, trust, importance, valid_from } = standingOf(sources);
  const standing: ChangedColumns = {
    ...{ ...hints, confidence, trust, importance, valid_from },
    ...{ metadata: {}, input_fields: {} },
  };
  if (await isSkill(tx, card.id)) {
    return { ...standing, summary: await rewriteSkill(tx, walk, card, sources) };
  }
  const best = bestSource(sources);
  if (card.writer_id === CONSOLIDATION) {
    const lessons = lessonsThatFit(lessonsOf({ sources }));
    const day = card.recorded_at.slice(0, 10);
    const topic = topicAgain(sources, card.topic);
    const summary = noteText(topic, day, sources.length, lessons);
    if (lessons.length > 0) return { ...standing, summary, topic };
  }
  return { ...standing, summary: best?.summary ?? plainAccount(card), topic: best?.topic ?? null };
}

/** What it took over from a card that goes: what that answered, supported and warned of, in its words. */
async function dropInherited(tx: Tx, { id, erased }: AgainCard): Promise<void> {
  if (erased.length === 0) return;
  await tx.query(
    `DELETE FROM edges k
      USING edges m
      WHERE k.workspace_id = $1 AND m.workspace_id = $1 AND k.type = m.type AND k.reason = m.reason
        AND k.type NOT IN ('derived_from', 'supersedes')
        AND (k.from_card = $2 AND m.from_card = ANY ($3) AND k.to_card = m.to_card
          OR k.to_card = $2 AND m.to_card = ANY ($3) AND k.from_card = m.from_card)`,
    [tx.workspace, id, erased],
  );
  await tx.query(
    `DELETE FROM edges WHERE workspace_id = $1 AND from_card = $2 AND to_card = ANY ($3) AND type = 'derived_from'`,
    [tx.workspace, id, erased],
  );
}

/** What a version that was written again said is nobody's business any more. */
async function emptyVersions(tx: Tx, id: string, current: number): Promise<void> {
  await tx.query(
    `UPDATE card_versions v
        SET snapshot = v.snapshot || jsonb_build_object('summary', 'erased', 'keywords', '[]'::jsonb, 'metadata', '{}'::jsonb,
              'topic', NULL, 'key', NULL, 'error_signature', NULL, 'service', NULL, 'operation', NULL, 'task_type', NULL,
              'workflow', NULL, 'step', NULL, 'promoted_from', NULL)
      WHERE v.workspace_id = $1 AND v.card_id = $2 AND v.version < $3`,
    [tx.workspace, id, current],
  );
}
