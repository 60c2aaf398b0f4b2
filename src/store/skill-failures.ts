import type { SkillCase, TraceStep } from '../contracts/skill';
import type { Tx } from './database';
import { addCases } from './skill-cases';

/** A call that failed, as its event and its card tell of it. */
export interface SkillFailure {
  eventId: string;
  cardId: string | null;
  agent: string;
  session: string | null;
  service: string;
  operation: string;
  error_family: TraceStep['error_family'] | null;
  error_signature: string | null;
  occurredAt: Date;
}

/**
 * Makes a failed call a test of each skill that was in the prompt when it was made: the skill's card was
 * injected for this agent into this session before, and one of the steps of its version in use makes the
 * call. An error that a skill is already tested for is no second test. Idempotent by the event.
 * @returns the skills, by their cards, with the new test of each
 */
export async function addFailureCases(
  tx: Tx,
  failure: SkillFailure,
  now: Date,
): Promise<{ card_id: string; test_id: string }[]> {
  const { session, service, operation, eventId: event, cardId: card } = failure;
  if (session === null) return [];
  const skills = await tx.query<{ card_id: string }>(
    `SELECT DISTINCT s.card_id
       FROM recalls r
       JOIN recall_cards i ON i.workspace_id = r.workspace_id AND i.recall_id = r.id
       JOIN skills s ON s.workspace_id = i.workspace_id AND s.card_id = i.card_id AND s.status = 'current'
       JOIN skill_versions v ON v.workspace_id = s.workspace_id AND v.card_id = s.card_id
                            AND v.version = s.current_version
      WHERE r.workspace_id = $1 AND r.session = $2 AND r.agent_id = $3 AND r.at <= $4
        AND v.document -> 'steps' @> $5::jsonb
        AND NOT EXISTS (SELECT 1 FROM skill_tests t
                         WHERE t.workspace_id = s.workspace_id AND t.card_id = s.card_id
                           AND t.kind = 'failure' AND t.retired_at IS NULL AND t."case" -> 'trace' @> $6::jsonb)
      ORDER BY s.card_id`,
    [
      tx.workspace,
      session,
      failure.agent,
      failure.occurredAt,
      JSON.stringify([{ service, operation }]),
      JSON.stringify([traceOf(failure)]),
    ],
  );
  const made: { card_id: string; test_id: string }[] = [];
  for (const { card_id } of skills) {
    const kept: SkillCase = { kind: 'failure', trace: [traceOf(failure)] };
    const added = await addCases(tx, card_id, [{ case: kept, event, card }], now);
    made.push(...added.map((test_id) => ({ card_id, test_id })));
  }
  return made;
}

function traceOf(failure: SkillFailure): TraceStep {
  const { service, operation, error_family, error_signature } = failure;
  return {
    service,
    operation,
    outcome: 'failed',
    ...(error_family === null || error_family === undefined ? {} : { error_family }),
    ...(error_signature === null ? {} : { error_signature }),
  };
}
