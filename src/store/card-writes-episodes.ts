import type { CardHints, CardScope } from '../contracts/card';
import { type CardStatus, RECALLED_STATUSES, type Sign, type Trust } from '../contracts/names';
import type { Episode } from '../domain/consolidation/episode';
import { type ConflictCard, verdict } from '../domain/resolve';
import type { Tx } from './database';
import { IN_A_PERSONS_WORDS } from './in-a-persons-words';
import { SUBJECTS_OFF } from './subjects';

/** Of a scope with more, the oldest are read; the rest is another night's. */
const MOST_EPISODES = 2_000;

interface OtherEnd {
  id: string;
  sign: Sign;
  status: CardStatus;
  valid_from: string;
  trust: Trust;
  confidence: number;
}

type EpisodeRow = Omit<Episode, 'hints' | 'conflicts' | 'vector'> &
  CardHints & { opposites: OtherEnd[] };

/** Who is given sight of a card beyond its scope, as one text; grants that ran out ($2 is now) give nobody any. */
const shareOf = (card: string) => `(
         SELECT COALESCE(string_agg(s.who, ',' ORDER BY s.who), '')
           FROM (SELECT 'agent:' || g.agent_id AS who FROM card_grants g
                  WHERE g.workspace_id = ${card}.workspace_id AND g.card_id = ${card}.id AND g.grant_type <> 'agent_group'
                    AND (g.expires_at IS NULL OR g.expires_at > $2)
                 UNION ALL
                 SELECT 'group:' || g.group_id FROM card_group_grants g
                  WHERE g.workspace_id = ${card}.workspace_id AND g.card_id = ${card}.id
                    AND (g.expires_at IS NULL OR g.expires_at > $2)) s)`;

/**
 * Whether whoever sees card `c` sees card `s` too: the whole workspace does, or they stand in one place, about one
 * subject and project, and are shared alike. What `s` says may only then be told beside `c`.
 */
const SEEN_ALIKE = `(s.scope_type = 'workspace' OR s.visibility = 'organization'
              OR (s.scope_type, s.scope_id, s.visibility) = (c.scope_type, c.scope_id, c.visibility)
                 AND s.subject IS NOT DISTINCT FROM c.subject AND s.project IS NOT DISTINCT FROM c.project
                 AND ${shareOf('s')} = ${shareOf('c')})`;

/**
 * A card with all that decides whether a pass may sum it up. A person who reports settled work acts as a runtime: the
 * card is in words of the distiller. What a warning was answered by counts while that is not held back, refused or
 * deleted, and where all who see the warning see it: for anybody else the warning still stands.
 */
const EPISODES = `
WITH held AS MATERIALIZED (
  SELECT DISTINCT unnest(p.evidence) AS id
    FROM proposals p
   WHERE p.workspace_id = $1 AND p.status IN ('open', 'reopened') AND p.type <> 'config_fix'
)
SELECT c.id, c.version, c.kind, c.tier, c.sign, c.status, c.summary, c.service, c.operation, c.task_type, c.workflow,
       c.step, c.keywords, c.error_signature, c.error_family, c.input_fields, c.key, c.subject, c.topic, c.project,
       jsonb_build_object('type', c.scope_type, 'id', c.scope_id) AS scope, c.visibility, c.importance, c.confidence,
       c.trust, c.flags, c.valid_from, c.recorded_at, c.expires_at, COALESCE(u.use_count, 0) AS use_count,
       CASE WHEN ${IN_A_PERSONS_WORDS} THEN 'person'
            WHEN c.writer_kind = 'person' THEN 'runtime'
            ELSE c.writer_kind END AS writer,
       c.agent_id AS agent,
       (SELECT e.reason
          FROM edges e
          JOIN cards s ON s.workspace_id = e.workspace_id AND s.id = e.from_card
                      AND s.status NOT IN ('rejected', 'quarantined', 'deleted')
         WHERE e.workspace_id = c.workspace_id AND e.to_card = c.id AND e.type = 'satisfies' AND ${SEEN_ALIKE}
         ORDER BY e.created_at, e.id
         LIMIT 1) AS resolved,
       COALESCE((SELECT jsonb_agg(jsonb_build_object('id', o.id, 'sign', o.sign, 'status', o.status,
                                    'valid_from', o.valid_from, 'trust', o.trust, 'confidence', o.confidence)
                                  ORDER BY o.id)
                   FROM (SELECT e.to_card AS id FROM edges e
                          WHERE e.workspace_id = c.workspace_id AND e.from_card = c.id AND e.type = 'conflicts'
                         UNION
                         SELECT e.from_card FROM edges e
                          WHERE e.workspace_id = c.workspace_id AND e.to_card = c.id AND e.type = 'conflicts') x
                   JOIN cards o ON o.workspace_id = c.workspace_id AND o.id = x.id AND o.status = ANY ($3)),
                '[]') AS opposites,
       ${shareOf('c')} AS share,
       EXISTS (SELECT 1
                 FROM edges e
                 JOIN cards n ON n.workspace_id = e.workspace_id AND n.id = e.from_card AND n.kind = 'insight'
                             AND n.status = ANY ($3)
                WHERE e.workspace_id = c.workspace_id AND e.to_card = c.id AND e.type = 'derived_from') AS spoken,
       c.id IN (SELECT h.id FROM held h) AS held
  FROM cards c
  LEFT JOIN card_usage u ON u.workspace_id = c.workspace_id AND u.card_id = c.id
 WHERE c.workspace_id = $1`;

export interface ScopeEpisodes {
  /** Oldest first. */
  episodes: Episode[];
  /** Cards of the scope that are in use, of every kind. */
  activeCards: number;
}

/**
 * The episodes of a scope that were recorded before the pass's day, without their vectors and without those about
 * somebody whose memory is off.
 */
export async function readEpisodes(
  tx: Tx,
  scope: CardScope,
  { before, now, tieMs }: { before: Date; now: Date; tieMs: number },
): Promise<ScopeEpisodes> {
  const rows = await tx.query<EpisodeRow>(
    `${EPISODES}
        AND c.scope_type = $4 AND c.scope_id = $5 AND c.tier = 'episodic' AND c.status = ANY ($3)
        AND c.recorded_at < $6 AND (c.expires_at IS NULL OR c.expires_at > $2)
        AND (c.subject IN (${SUBJECTS_OFF})) IS NOT TRUE
      ORDER BY c.recorded_at, c.id
      LIMIT ${MOST_EPISODES}`,
    [tx.workspace, now, RECALLED_STATUSES, scope.type, scope.id, before],
  );
  const { count } = await tx.one<{ count: number }>(
    `SELECT count(*)::int AS count
       FROM cards c
      WHERE c.workspace_id = $1 AND c.scope_type = $2 AND c.scope_id = $3 AND c.status = ANY ($4)`,
    [tx.workspace, scope.type, scope.id, RECALLED_STATUSES],
  );
  return { episodes: rows.map((row) => episodeOf(row, tieMs)), activeCards: count };
}

/** Cards by id as they are now, whatever became of them. */
export async function readSources(
  tx: Tx,
  ids: readonly string[],
  { now, tieMs }: { now: Date; tieMs: number },
): Promise<Map<string, Episode>> {
  const rows = await tx.query<EpisodeRow>(`${EPISODES} AND c.id = ANY ($4)`, [
    tx.workspace,
    now,
    RECALLED_STATUSES,
    ids,
  ]);
  return new Map(rows.map((row) => [row.id, episodeOf(row, tieMs)]));
}

/**
 * Holds the cards and whom they are shared with until the transaction ends: whoever edits, stops, deletes or
 * unshares one of them comes before, and is seen by what is read next, or after.
 */
export async function holdSources(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query(
    'SELECT c.id FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2) ORDER BY c.id FOR UPDATE',
    [tx.workspace, ids],
  );
  await tx.query(
    `SELECT g.card_id FROM card_grants g
      WHERE g.workspace_id = $1 AND g.card_id = ANY ($2)
      ORDER BY g.card_id, g.agent_id, g.grant_type FOR SHARE`,
    [tx.workspace, ids],
  );
  await tx.query(
    `SELECT g.card_id FROM card_group_grants g
      WHERE g.workspace_id = $1 AND g.card_id = ANY ($2)
      ORDER BY g.card_id, g.group_id FOR SHARE`,
    [tx.workspace, ids],
  );
}

/** The cards with the vector of their text by the model that is in use for them. */
export async function withVectors(tx: Tx, episodes: readonly Episode[]): Promise<Episode[]> {
  if (episodes.length === 0) return [];
  const rows = await tx.query<{ card_id: string; model: string; embedding: string }>(
    `SELECT e.card_id, e.model, e.embedding::text AS embedding
       FROM card_embeddings e
       JOIN cards c ON c.workspace_id = e.workspace_id AND c.id = e.card_id AND c.embedder = e.model
      WHERE e.workspace_id = $1 AND e.card_id = ANY ($2) AND e.field = 'summary'`,
    [tx.workspace, episodes.map(({ id }) => id)],
  );
  const vectors = new Map(
    rows.map(({ card_id, model, embedding }) => [
      card_id,
      { model, values: Float32Array.from(JSON.parse(embedding) as number[]) },
    ]),
  );
  return episodes.map((episode) => ({ ...episode, vector: vectors.get(episode.id) ?? null }));
}

function episodeOf(row: EpisodeRow, tieMs: number): Episode {
  const {
    service,
    operation,
    task_type,
    workflow,
    step,
    keywords,
    error_signature,
    error_family,
    opposites,
    ...card
  } = row;
  const own: ConflictCard = card;
  return {
    ...card,
    hints: {
      service,
      operation,
      task_type,
      workflow,
      step,
      keywords,
      error_signature,
      error_family,
    },
    conflicts: opposites.map((other) => ({
      with: other.id,
      open: verdict(own, other, tieMs).open,
    })),
    vector: null,
  };
}
