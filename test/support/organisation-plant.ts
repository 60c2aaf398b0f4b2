import { HOUR_MS, type Organisation } from './organisation';

/** Runs one statement on the database that the organisation is planted in. */
export type Run = (statement: string, values: unknown[]) => Promise<unknown>;

/** A word that every planted card holds, so that a recall can ask for all of them. */
export const COMMON_WORD = 'harbour';

/** The text of a planted card. */
export function textOf(workspace: string, card: string): string {
  return `The ${COMMON_WORD} of ${workspace} knows ${card}.`;
}

/** The lower its number the newer a card is, by two hours each: newer by more than the tie. */
export function validFrom(card: string, now: Date): Date {
  return new Date(now.getTime() - (Number(card.split('-')[1]) + 1) * 2 * HOUR_MS);
}

/**
 * Writes the organisation as a workspace of its own, in one statement. Each card is a note, its
 * id the key; who is in a group gets its rows by the trigger on membership.
 * @param edges what its edges become; of two that conflict a recall shows one, of a lineage both
 */
export async function plant(
  run: Run,
  workspace: string,
  org: Organisation,
  now: Date,
  edges: 'conflicts' | 'derived_from' = 'conflicts',
): Promise<void> {
  const at = (hours: number | null) =>
    hours === null ? null : new Date(now.getTime() + hours * HOUR_MS);
  const rows = {
    ...org,
    members: org.groups.flatMap(({ id, members }) =>
      members.map((agent) => ({ group: id, agent })),
    ),
    cards: org.cards.map(({ expires, ...card }) => ({
      ...card,
      scopeId: card.scopeId ?? workspace,
      summary: textOf(workspace, card.id),
      validFrom: validFrom(card.id, now),
      expiresAt: at(expires),
    })),
    grants: [
      ...org.grants.map((grant) => ({ ...grant, type: 'explicit', expiresAt: at(grant.expires) })),
      ...org.idleGrants.map((grant) => ({ ...grant, expiresAt: null })),
    ],
    groupGrants: org.groupGrants.map((grant) => ({ ...grant, expiresAt: at(grant.expires) })),
  };
  await run(PLANT, [workspace, now, JSON.stringify(rows), edges]);
}

const PLANT = `
WITH w AS (
  INSERT INTO workspaces (workspace_id, name, memory_mode, created_at)
  SELECT $1, $1, CASE WHEN ($3::jsonb -> 'isOff')::boolean THEN 'off' ELSE 'automatic' END, $2
),
teams AS (
  INSERT INTO teams (workspace_id, id, name, created_at)
  SELECT $1, t.id, t.id, $2 FROM jsonb_array_elements_text($3::jsonb -> 'teams') t (id)
),
agents AS (
  INSERT INTO agents (workspace_id, id, team_id, parent_agent, succeeds, memory_mode, registered_by, created_at)
  SELECT $1, a.id, a.team, a.parent, a.succeeds, CASE WHEN a."isOff" THEN 'off' ELSE 'automatic' END, 'person', $2
    FROM jsonb_to_recordset($3::jsonb -> 'agents')
      a (id text, team text, parent text, succeeds text, "isOff" boolean)
),
subjects AS (
  INSERT INTO subjects (workspace_id, id, household, memory, created_at)
  SELECT $1, s.id, s.household, CASE WHEN s."isOff" THEN 'off' ELSE 'on' END, $2
    FROM jsonb_to_recordset($3::jsonb -> 'subjects') s (id text, household text, "isOff" boolean)
),
people AS (
  INSERT INTO people (workspace_id, id, name, role, subject_id, created_at)
  SELECT $1, p.id, p.id, p.role, p.subject, $2
    FROM jsonb_to_recordset($3::jsonb -> 'people') p (id text, role text, subject text)
),
groups AS (
  INSERT INTO agent_groups (workspace_id, id, created_at)
  SELECT $1, g.id, $2 FROM jsonb_to_recordset($3::jsonb -> 'groups') g (id text)
),
members AS (
  INSERT INTO group_members (workspace_id, group_id, agent_id)
  SELECT $1, m."group", m.agent
    FROM jsonb_to_recordset($3::jsonb -> 'members') m ("group" text, agent text)
),
cards AS (
  INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, key, subject, scope_type, scope_id,
                     visibility, confidence, trust, valid_from, recorded_at, edited_at, expires_at,
                     index_length, writer_kind, writer_id, distilled_by)
  SELECT $1, c.id, 'knowledge', 'semantic', 'neutral', c.status, c.summary, c.id, c.subject, c."scopeType",
         c."scopeId", c.visibility, 0.8, 'runtime', c."validFrom", c."validFrom", c."validFrom",
         c."expiresAt", 5, 'runtime', 'harness', 'fallback'
    FROM jsonb_to_recordset($3::jsonb -> 'cards')
      c (id text, status text, summary text, subject text, "scopeType" text, "scopeId" text,
         visibility text, "validFrom" timestamptz, "expiresAt" timestamptz)
  RETURNING id
),
terms AS (
  INSERT INTO card_terms (workspace_id, term, card_id, frequency, length)
  SELECT $1, '${COMMON_WORD}', c.id, 1, 5 FROM cards c
),
grants AS (
  INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, expires_at, created_at)
  SELECT $1, g.card, g.agent, g.type, g."expiresAt", $2
    FROM jsonb_to_recordset($3::jsonb -> 'grants')
      g (card text, agent text, type text, "expiresAt" timestamptz)
),
shared AS (
  INSERT INTO card_group_grants (workspace_id, card_id, group_id, expires_at, created_at)
  SELECT $1, g.card, g."group", g."expiresAt", $2
    FROM jsonb_to_recordset($3::jsonb -> 'groupGrants')
      g (card text, "group" text, "expiresAt" timestamptz)
)
INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
SELECT $1, e."from" || '>' || e."to", $4, e."from", e."to", 0.9, 'planted', $2::timestamptz - interval '1 hour'
  FROM jsonb_to_recordset($3::jsonb -> 'edges') e ("from" text, "to" text)`;

/** Gives each card of the workspace its version, as whatever writes a card does; asked once they say what they are to. */
export async function plantVersions(run: Run, workspace: string): Promise<void> {
  await run(
    `INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT c.workspace_id, c.id, c.version, c.recorded_at, c.writer_kind, c.writer_id, 'created',
            card_snapshot(to_jsonb(c))
       FROM cards c
      WHERE c.workspace_id = $1
     ON CONFLICT DO NOTHING`,
    [workspace],
  );
}
