import type { ReadContext } from '../contracts/principal';
import type { Tx } from './database';
import { SUBJECTS_OFF } from './subjects';

/**
 * The arguments of the SQL function `visible_cards`, the only way to read a card (design §4).
 * A statement that uses them names them by position: the workspace, the agent, the person acted for,
 * everything, the member's own subject, now.
 */
export type ReaderArguments = readonly [
  workspace: string,
  agent: string | null,
  person: string | null,
  everything: boolean,
  subject: string | null,
  now: Date,
];

/**
 * A person who names no agent sees the whole workspace, a member only what is about their own subject;
 * with an agent named, exactly what that agent would see: nothing where its memory is off.
 */
export function readerArguments(
  context: ReadContext,
  memberSubject: string | null,
  now: Date,
): ReaderArguments {
  const asPerson = context.principal.kind === 'person' && context.agent === null;
  const isMember = context.principal.role === 'member';
  return [
    context.workspace,
    context.agent,
    context.person,
    asPerson && !isMember,
    asPerson && isMember ? memberSubject : null,
    now,
  ];
}

/** Whether the reader can see this card now, and in which ways; empty answers 404. */
export async function waysToSee(
  tx: Tx,
  reader: ReaderArguments,
  cardId: string,
): Promise<string[]> {
  const rows = await tx.query<{ via: string }>(
    `SELECT DISTINCT v.via FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v WHERE v.card_id = $7`,
    [...reader, cardId],
  );
  return rows.map((row) => row.via);
}

/** Those of the cards that the reader can see now. */
export async function visibleAmong(
  tx: Tx,
  reader: ReaderArguments,
  cardIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ card_id: string }>(
    `SELECT DISTINCT v.card_id
       FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
      WHERE v.card_id = ANY ($7)`,
    [...reader, cardIds],
  );
  return new Set(rows.map((row) => row.card_id));
}

/**
 * What decides what the reader may see, as one row: for `mayBeSeen`. Same positions as `ReaderArguments`.
 */
export const READER_PATHS = `
  SELECT r.*, $4::boolean AS everything, $5::text AS subject FROM reader_paths($1, $2, $3) r`;

/**
 * Whether the reader's `paths` lead to a row of `cards`: a sieve for a scan by another index. What passes
 * it is judged by `visible_among` before it is shown.
 */
export const mayBeSeen = (card: string): string =>
  `(SELECT p.everything OR COALESCE(${card}.subject = p.subject, false)
           OR p.self IS NOT NULL AND (${card}.subject IN (${SUBJECTS_OFF})) IS NOT TRUE AND (
             ${card}.scope_type = 'workspace' OR ${card}.visibility = 'organization'
             OR ${card}.scope_type = 'team' AND ${card}.scope_id = p.team
             OR ${card}.scope_type = 'agent' AND (${card}.scope_id IN (p.self, p.predecessor) OR ${card}.scope_id = ANY (p.ancestors))
             OR ${card}.visibility = 'household' AND EXISTS (
                  SELECT 1 FROM subjects s
                   WHERE s.workspace_id = $1 AND s.id = ${card}.subject AND s.household = p.household)
             OR EXISTS (
                  SELECT 1 FROM card_grants g
                   WHERE g.workspace_id = $1 AND g.card_id = ${card}.id AND g.agent_id = p.self
                     AND g.grant_type IN ('explicit', 'agent_group')
                     AND (g.expires_at IS NULL OR g.expires_at > $6)))
      FROM paths p)`;
