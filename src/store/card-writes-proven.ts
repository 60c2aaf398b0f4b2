import type { SettledEvent } from '../contracts/event';
import type { Trust } from '../contracts/names';
import { CONFIDENCE_DECIMALS, CONFIDENCE_PER_PROVEN_USE } from '../domain/confidence';
import { endsTask } from '../domain/learning/ends-task';
import { type Voice, voiceOfEvent, weightOf } from '../domain/proven-use';
import type { Tx } from './database';

/** Somebody's word that what was injected helped. */
export interface Word {
  voice: Voice;
  /** Who says it, or for whom it is said: of this agent's own cards it is a word about itself. */
  agent: string | null;
  /** When the card was of use, as reported. */
  at: Date | string;
  /** When it is said, by the server's clock. */
  now: Date;
}

/** Injections as `recall_id` and `card_id`, by $1, the workspace, and values from $2 on. */
interface Injections {
  sql: string;
  values: readonly unknown[];
}

/** `confidenceAfterProvenUse` for as many uses, as SQL. */
export function confidenceAfterUses(stored: string, uses: string): string {
  return `round(LEAST(1, ${stored} + ${CONFIDENCE_PER_PROVEN_USE} * ${uses})::numeric, ${CONFIDENCE_DECIMALS})`;
}

/**
 * A session's final event that worked proves the cards that were recalled in it before, each once
 * however often it was injected (design §7, proven use). An injection by itself proves nothing, so
 * asking again must not count either.
 *
 * @param trust of the event: what its own agent reports is that agent's word
 */
export async function proveBySession(
  tx: Tx,
  event: SettledEvent,
  trust: Trust,
  now: Date,
): Promise<void> {
  if (!endsTask(event) || event.session === undefined) return;
  const { session, occurred_at: at, outcome, agent } = event;
  await tx.query(
    `UPDATE sessions
        SET final_at = $3, final_outcome = $4
      WHERE workspace_id = $1 AND id = $2 AND (final_at IS NULL OR final_at < $3)`,
    [tx.workspace, session, at, outcome],
  );
  if (outcome !== 'worked') return;
  await prove(tx, IN_SESSION(session, at), { voice: voiceOfEvent(trust), agent, at, now });
}

/**
 * An agent says of a card that it held: a use of what it was given in its recalls, once for each of them.
 * @returns whether there was one that had not been counted
 */
export async function proveByVerdict(
  tx: Tx,
  cardId: string,
  agent: string,
  word: Omit<Word, 'agent'>,
): Promise<boolean> {
  return (await prove(tx, GIVEN_TO(agent, cardId), { ...word, agent })).counted > 0;
}

export interface RecallFeedbackRecord {
  recallId: string;
  cardId: string;
  useful: boolean;
  /** Whose recall it has to be; null asks for no agent's in particular. */
  agent: string | null;
  /** The same for a person. */
  person: string | null;
  voice: Voice;
  at: Date;
}

/**
 * Somebody says whether an injected card helped. Useful is a proven use, once for each injection;
 * not useful takes nothing away.
 * @returns false where that recall, made by them, did not inject that card.
 */
export async function recordFeedback(tx: Tx, feedback: RecallFeedbackRecord): Promise<boolean> {
  const { at, agent, voice, useful } = feedback;
  const injections = BY_RECALL(feedback);
  if (useful) return (await prove(tx, injections, { voice, agent, at, now: at })).found > 0;
  const [row] = await tx.query(injections.sql, [tx.workspace, ...injections.values]);
  return row !== undefined;
}

const IN_SESSION = (session: string, at: string): Injections => ({
  sql: `SELECT rc.recall_id, rc.card_id
          FROM recalls r
          JOIN recall_cards rc ON rc.workspace_id = $1 AND rc.recall_id = r.id
         WHERE r.workspace_id = $1 AND r.session = $2 AND r.at <= $3`,
  values: [session, at],
});

const GIVEN_TO = (agent: string, cardId: string): Injections => ({
  sql: `SELECT rc.recall_id, rc.card_id
          FROM recall_cards rc
          JOIN recalls r ON r.workspace_id = $1 AND r.id = rc.recall_id
         WHERE rc.workspace_id = $1 AND rc.card_id = $2 AND r.agent_id = $3`,
  values: [cardId, agent],
});

const BY_RECALL = ({ recallId, cardId, agent, person }: RecallFeedbackRecord): Injections => ({
  sql: `SELECT rc.recall_id, rc.card_id
          FROM recall_cards rc
          JOIN recalls r ON r.workspace_id = $1 AND r.id = rc.recall_id
         WHERE rc.workspace_id = $1 AND rc.recall_id = $2 AND rc.card_id = $3
           AND ($4::text IS NULL OR r.agent_id = $4)
           AND ($5::text IS NULL OR r.person_id = $5)`,
  values: [recallId, cardId, agent, person],
});

/** Counts the uses and makes the cards surer by the weight of the word; each injection does each once. */
async function prove(
  tx: Tx,
  injections: Injections,
  word: Word,
): Promise<{ found: number; counted: number }> {
  const counted = await countUses(tx, injections, word);
  const own = weightOf(word.voice, true).raises;
  const others = weightOf(word.voice, false).raises;
  if (counted.found > 0) await raiseConfidence(tx, injections, word, { own, others });
  return counted;
}

async function countUses(
  tx: Tx,
  { sql, values }: Injections,
  { at }: Word,
): Promise<{ found: number; counted: number }> {
  const time = `$${values.length + 2}`;
  return await tx.one<{ found: number; counted: number }>(
    `WITH injected AS (${sql}),
     used AS (
       UPDATE recall_cards rc
          SET proven_at = ${time}
         FROM injected i
        WHERE rc.workspace_id = $1 AND rc.recall_id = i.recall_id AND rc.card_id = i.card_id
          AND rc.proven_at IS NULL
       RETURNING rc.card_id
     ),
     counted AS (
       INSERT INTO card_usage AS u (workspace_id, card_id, use_count, last_used_at)
       SELECT DISTINCT $1, card_id, 1, ${time}::timestamptz FROM used
       ON CONFLICT (workspace_id, card_id) DO UPDATE
          SET use_count = u.use_count + 1, last_used_at = GREATEST(u.last_used_at, EXCLUDED.last_used_at)
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM injected) AS found, (SELECT count(*) FROM counted) AS counted`,
    [tx.workspace, ...values, at],
  );
}

/**
 * A unique key holds an agent to one raise a day and card, and what is not yet raised each injection to
 * one: who comes second at the same moment finds neither.
 */
async function raiseConfidence(
  tx: Tx,
  { sql, values }: Injections,
  { agent, at, now }: Word,
  raises: { own: string; others: string },
): Promise<void> {
  const [time, today, who, own, others] = [2, 3, 4, 5, 6].map(
    (place) => `$${values.length + place}`,
  );
  await tx.query(
    `WITH injected AS (${sql}),
     unraised AS (
       SELECT rc.recall_id, rc.card_id,
              CASE WHEN c.agent_id = ${who} OR c.scope_type = 'agent' AND c.scope_id = ${who}
                   THEN ${own}::text ELSE ${others}::text END AS raises
         FROM injected i
         JOIN recall_cards rc ON rc.workspace_id = $1 AND rc.recall_id = i.recall_id AND rc.card_id = i.card_id
         JOIN cards c ON c.workspace_id = $1 AND c.id = rc.card_id
        WHERE rc.raised_at IS NULL
     ),
     marked AS (
       INSERT INTO confidence_marks AS m (workspace_id, card_id, agent_id, day)
       SELECT DISTINCT $1, card_id, ${who}::text, (${today}::timestamptz AT TIME ZONE 'UTC')::date
         FROM unraised
        WHERE raises = 'once_a_day'
       ON CONFLICT (workspace_id, card_id, agent_id) DO UPDATE SET day = EXCLUDED.day WHERE m.day < EXCLUDED.day
       RETURNING card_id
     ),
     raised AS (
       UPDATE recall_cards rc
          SET raised_at = ${time}
         FROM unraised n
        WHERE rc.workspace_id = $1 AND rc.recall_id = n.recall_id AND rc.card_id = n.card_id
          AND rc.raised_at IS NULL
          AND (n.raises = 'each_use' OR n.card_id IN (SELECT card_id FROM marked))
       RETURNING rc.card_id
     ),
     surer AS (
       UPDATE cards c
          SET confidence = ${confidenceAfterUses('c.confidence', '1')}
         FROM (SELECT DISTINCT card_id FROM raised) r
        WHERE c.workspace_id = $1 AND c.id = r.card_id
     )
     -- A reading of the past knows by the last use which cards have changed since.
     UPDATE card_usage u
        SET last_used_at = GREATEST(u.last_used_at, ${time})
       FROM (SELECT DISTINCT card_id FROM raised) r
      WHERE u.workspace_id = $1 AND u.card_id = r.card_id`,
    [tx.workspace, ...values, at, now, agent, raises.own, raises.others],
  );
}
