import type { CardScope } from '../contracts/card';
import type { Via } from '../contracts/names';
import type { SkillStatus } from '../contracts/skill';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import type { VisibleCard } from './cards';
import type { Tx } from './database';
import { TOTAL_CAP } from './paging';
import type { SkillHead } from './skills';
import type { ReaderArguments } from './visible-cards';

/** A skill as one reader sees it: its card, and what stands beside it. */
export interface VisibleSkill extends SkillHead {
  /** Of the version in use, else of the latest. */
  description: string;
  created_at: string;
  deprecated_at: string | null;
  /** The name of the skill to use instead, where the reader sees it. */
  replaced_by: string | null;
  seen: VisibleCard;
}

interface SkillRow extends CardRow {
  skill_name: string;
  skill_status: SkillStatus;
  current_version: number | null;
  latest_version: number;
  skill_description: string;
  skill_created_at: string;
  deprecated_at: string | null;
  replaced_by_name: string | null;
  input_fields: Record<string, string>;
  agent_id: string | null;
  team_id: string | null;
  vias: Via[];
}

/** Of a card in one of these a skill is shown; what was superseded or archived is shown as a card alone. */
const SHOWN = `c.status IN ('pending', 'active', 'validated', 'rejected', 'quarantined')`;

/** Of `skills s` and `seen` with the ways in which its card is visible. */
const SKILL = `
  SELECT ${CARD_COLUMNS}, c.input_fields, c.agent_id, a.team_id, seen.vias,
         s.name AS skill_name, s.status AS skill_status, s.current_version, s.latest_version,
         v.description AS skill_description, s.created_at AS skill_created_at, s.deprecated_at,
         other.name AS replaced_by_name`;

const JOINED = `
  JOIN skill_versions v ON v.workspace_id = s.workspace_id AND v.card_id = s.card_id
                       AND v.version = COALESCE(s.current_version, s.latest_version)
  ${CARD_USAGE}
  LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
  LEFT JOIN LATERAL (
    SELECT o.name FROM skills o
     WHERE o.workspace_id = s.workspace_id AND o.card_id = s.replaced_by
       AND EXISTS (SELECT 1 FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) w WHERE w.card_id = o.card_id)
  ) other ON true`;

/**
 * Skills of a name that the reader sees, the nearest first: in use before out of sight, the reader's own,
 * the team's, the workspace's, then what others share. Few skills share a name (`skills_by_name`), so each
 * is judged by itself.
 */
export async function findSkills(
  tx: Tx,
  reader: ReaderArguments,
  name: string,
  scope: CardScope | null,
): Promise<VisibleSkill[]> {
  const rows = await tx.query<SkillRow>(
    `${SKILL}
       FROM skills s
       JOIN cards c ON c.workspace_id = s.workspace_id AND c.id = s.card_id
       JOIN LATERAL (
         SELECT array_agg(DISTINCT w.via) AS vias
           FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) w
          WHERE w.card_id = s.card_id
       ) seen ON seen.vias IS NOT NULL
       ${JOINED}
      WHERE s.workspace_id = $1 AND s.name = $7 AND ${SHOWN}
        AND ($8::text IS NULL OR (c.scope_type = $8 AND c.scope_id = $9))
      ORDER BY c.status IN ('pending', 'active', 'validated') DESC, 'own' = ANY (seen.vias) DESC,
               'team' = ANY (seen.vias) DESC, 'workspace' = ANY (seen.vias) DESC, s.created_at DESC, s.card_id`,
    [...reader, name, scope?.type ?? null, scope?.id ?? null],
  );
  return rows.map(visibleOf);
}

/** Of these skills, by their cards, those that the reader sees. */
export async function skillsAmong(
  tx: Tx,
  reader: ReaderArguments,
  cardIds: readonly string[],
): Promise<VisibleSkill[]> {
  if (cardIds.length === 0) return [];
  const rows = await tx.query<SkillRow>(
    `WITH seen AS MATERIALIZED (
       SELECT w.card_id, array_agg(DISTINCT w.via) AS vias
         FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) w
        WHERE w.card_id = ANY ($7)
        GROUP BY w.card_id
     )
     ${SKILL}
       FROM seen
       JOIN skills s ON s.workspace_id = $1 AND s.card_id = seen.card_id
       JOIN cards c ON c.workspace_id = $1 AND c.id = s.card_id
       ${JOINED}
      WHERE ${SHOWN}
      ORDER BY s.name, s.card_id`,
    [...reader, cardIds],
  );
  return rows.map(visibleOf);
}

/** Skills that the reader sees, by name; one judgement of what is visible for page and total. */
export async function listSkills(
  tx: Tx,
  reader: ReaderArguments,
  status: SkillStatus | null,
  page: { after: readonly [name: string, card: string] | null; limit: number },
): Promise<{ skills: VisibleSkill[]; total: number }> {
  const rows = await tx.query<{ card_id: string | null; total: number }>(
    `WITH seen AS MATERIALIZED (
       SELECT DISTINCT w.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) w
     ),
     skill AS MATERIALIZED (
       SELECT s.card_id, s.name
         FROM seen
         JOIN skills s ON s.workspace_id = $1 AND s.card_id = seen.card_id
         JOIN LATERAL (
           SELECT k.status FROM cards k WHERE k.workspace_id = $1 AND k.id = s.card_id OFFSET 0
         ) c ON true
        WHERE ${SHOWN} AND ($7::text IS NULL OR s.status = $7)
     ),
     total AS (
       SELECT count(*) AS total FROM (SELECT 1 FROM skill LIMIT ${TOTAL_CAP + 1}) counted
     ),
     page AS (
       SELECT n.card_id, n.name
         FROM skill n
        WHERE $8::text IS NULL OR (n.name, n.card_id) > ($8, $9)
        ORDER BY n.name, n.card_id
        LIMIT $10
     )
     SELECT total.total, page.card_id FROM total LEFT JOIN page ON true`,
    [...reader, status, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit],
  );
  const ids = rows.flatMap(({ card_id }) => (card_id === null ? [] : [card_id]));
  return { skills: await skillsAmong(tx, reader, ids), total: rows[0]?.total ?? 0 };
}

function visibleOf(row: SkillRow): VisibleSkill {
  return {
    card_id: row.id,
    name: row.skill_name,
    status: row.skill_status,
    current_version: row.current_version,
    latest_version: row.latest_version,
    description: row.skill_description,
    created_at: row.skill_created_at,
    deprecated_at: row.deprecated_at,
    replaced_by: row.replaced_by_name,
    seen: {
      card: cardOf(row),
      vias: row.vias,
      agent: row.agent_id,
      team: row.team_id,
      inputFields: row.input_fields,
    },
  };
}
