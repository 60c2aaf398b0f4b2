import type { ReadContext } from '../contracts/principal';
import type { Tx } from './database';

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
 * with an agent named, exactly what that agent would see.
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
