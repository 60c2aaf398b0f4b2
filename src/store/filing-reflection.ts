import type { CardScope } from '../contracts/card';
import { RECALLED_STATUSES } from '../contracts/names';
import type { Cursor } from '../contracts/reflection';
import type { Episode } from '../domain/consolidation/episode';
import { memberOf } from '../domain/consolidation/groups';
import type { ReflectionCard, ReflectionEdge } from '../domain/reflection/card';
import { readSources, withVectors } from './card-writes-episodes';
import type { Tx } from './database';
import { SUBJECTS_OFF } from './subjects';

/** What a look begins with: ids and versions, and where each card stands in the order of reading. */
export interface SelectedCard extends Cursor {
  version: number;
  /** Not looked at before. */
  fresh: boolean;
}

/** `c` may be looked at: settled work in use, without key and flag, of nobody whose memory is off. */
const WITNESS = `c.workspace_id = $1 AND c.scope_type = $2 AND c.scope_id = $3 AND c.tier = 'episodic'
        AND c.status = ANY ($4) AND c.key IS NULL AND c.flags = '{}' AND c.writer_kind <> 'system'
        AND (c.expires_at IS NULL OR c.expires_at > $5) AND (c.subject IN (${SUBJECTS_OFF})) IS NOT TRUE`;
/** As a cursor holds it, so that what was read last is not read again. */
const AT = `date_trunc('milliseconds', c.recorded_at)`;

export interface Selection {
  scope: CardScope;
  /** The last card that was looked at before; null the first time. */
  after: Cursor | null;
  limit: number;
  now: Date;
}

/**
 * Cards of a scope for one look: those that nobody has looked at, the oldest first, and as far as there is room those
 * of the same calls or tasks that were looked at before, the newest first, since one alone shows nothing.
 * @returns the cards, and whether more are left that nobody has looked at
 */
export async function selectCards(
  tx: Tx,
  { scope, after, limit, now }: Selection,
): Promise<{ cards: SelectedCard[]; more: boolean }> {
  const witness = [tx.workspace, scope.type, scope.id, RECALLED_STATUSES, now];
  const found = await tx.query<SelectedCard>(
    `SELECT c.id, c.version, ${AT} AS at, true AS fresh
       FROM cards c
      WHERE ${WITNESS} AND ($6::timestamptz IS NULL OR (${AT}, c.id) > ($6, $7))
      ORDER BY ${AT}, c.id
      LIMIT $8`,
    [...witness, after?.at ?? null, after?.id ?? null, limit + 1],
  );
  const fresh = found.slice(0, limit);
  const more = found.length > limit;
  if (after === null || fresh.length === 0 || fresh.length === limit) return { cards: fresh, more };
  const known = await tx.query<SelectedCard>(
    `WITH fresh AS MATERIALIZED (
       SELECT f.service, f.operation, f.task FROM cards f WHERE f.workspace_id = $1 AND f.id = ANY ($6)
     )
     SELECT c.id, c.version, ${AT} AS at, false AS fresh
       FROM cards c
      WHERE ${WITNESS} AND (${AT}, c.id) <= ($7, $8)
        AND EXISTS (SELECT 1 FROM fresh f
                     WHERE (f.service = c.service AND f.operation = c.operation) OR f.task = c.task)
      ORDER BY c.recorded_at DESC, c.id
      LIMIT $9`,
    [...witness, fresh.map(({ id }) => id), after.at, after.id, limit - fresh.length],
  );
  return { cards: [...fresh, ...known], more };
}

/** Cards by id as they are now, with their vectors, and the edges among them. */
export async function readReflected(
  tx: Tx,
  ids: readonly string[],
  at: { now: Date; tieMs: number },
): Promise<{ cards: ReflectionCard[]; edges: ReflectionEdge[] }> {
  const episodes = await withVectors(tx, [...(await readSources(tx, ids, at)).values()]);
  const rows = await tx.query<Pick<ReflectionCard, 'id' | 'event' | 'task' | 'session'>>(
    `SELECT c.id, c.event_id AS event, c.task, c.session
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
    [tx.workspace, ids],
  );
  const origins = new Map(rows.map((row) => [row.id, row]));
  const edges = await tx.query<ReflectionEdge>(
    `SELECT e.type, e.from_card AS "from", e.to_card AS "to"
       FROM edges e
      WHERE e.workspace_id = $1 AND e.from_card = ANY ($2) AND e.to_card = ANY ($2)
      ORDER BY e.created_at, e.id`,
    [tx.workspace, ids],
  );
  const cards = episodes.map((card) => ({
    ...card,
    event: origins.get(card.id)?.event ?? null,
    task: origins.get(card.id)?.task ?? null,
    session: origins.get(card.id)?.session ?? null,
  }));
  return { cards, edges };
}

const MOST_KNOWN = 100;

/** Whose knowledge it is, and about which call; null asks for none in particular. */
export interface KnownAbout {
  /** One of those cards that share their member and their readers. */
  like: Episode;
  call: { service: string | null; operation: string | null } | null;
  now: Date;
}

/**
 * What is known already to the same readers about the same member: the newest first. Two calls of one service may
 * fail in the same words, and are two facts.
 */
export async function knownFacts(tx: Tx, { like, call, now }: KnownAbout): Promise<string[]> {
  const { scope, subject, project, visibility } = like;
  const rows = await tx.query<{ id: string }>(
    `SELECT c.id
       FROM cards c
      WHERE c.workspace_id = $1 AND c.scope_type = $2 AND c.scope_id = $3 AND c.kind = 'knowledge'
        AND c.status = ANY ($4) AND c.subject IS NOT DISTINCT FROM $5 AND c.project IS NOT DISTINCT FROM $6
        AND c.visibility = $7
        AND ($8::text IS NULL OR c.service IS NULL OR c.service = $8)
        AND ($9::text IS NULL OR c.operation IS NULL OR c.operation = $9)
      ORDER BY c.recorded_at DESC, c.id
      LIMIT ${MOST_KNOWN}`,
    [
      tx.workspace,
      scope.type,
      scope.id,
      RECALLED_STATUSES,
      subject,
      project,
      visibility,
      call?.service ?? null,
      call?.operation ?? null,
    ],
  );
  const ids = rows.map(({ id }) => id);
  const cards = await readSources(tx, ids, { now, tieMs: 0 });
  return ids.flatMap((id) => {
    const card = cards.get(id);
    return card === undefined || memberOf(card) !== memberOf(like) ? [] : [card.summary];
  });
}
