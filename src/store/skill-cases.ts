import type { SkillCase, SkillTestKind } from '../contracts/skill';
import { MAX_TESTS } from '../domain/skills/limits';
import type { NumberedCase } from '../domain/skills/replay';
import type { Tx } from './database';
import { newId } from './ids';

export interface SkillCaseRow {
  id: string;
  kind: SkillTestKind;
  case: object;
  source_event: string | null;
  source_card: string | null;
  added_at: string;
}

export interface NewCase {
  case: SkillCase;
  /** The event and the card that it was taken from. */
  event?: string | null;
  card?: string | null;
}

/**
 * Adds tests to a skill; of one event there is one. Beyond `MAX_TESTS` the oldest failures are retired:
 * what a skill was learned from and what people wrote stays.
 * @returns the ids of those that are new
 */
export async function addCases(
  tx: Tx,
  cardId: string,
  cases: readonly NewCase[],
  now: Date,
): Promise<string[]> {
  const added: string[] = [];
  for (const { case: one, event = null, card = null } of cases) {
    const { kind, ...rest } = one;
    const rows = await tx.query<{ id: string }>(
      `INSERT INTO skill_tests (workspace_id, card_id, id, kind, "case", source_event, source_card, added_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT DO NOTHING
       RETURNING id`,
      [tx.workspace, cardId, newId('case', now), kind, JSON.stringify(rest), event, card, now],
    );
    added.push(...rows.map(({ id }) => id));
  }
  if (added.length > 0) await retireBeyond(tx, cardId, now);
  return added;
}

async function retireBeyond(tx: Tx, cardId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE skill_tests t SET retired_at = $3
      WHERE t.workspace_id = $1 AND t.card_id = $2
        AND t.id IN (SELECT o.id
                       FROM (SELECT s.id, s.kind,
                                    row_number() OVER (ORDER BY (s.kind = 'failure'), s.added_at DESC, s.id DESC) AS n
                               FROM skill_tests s
                              WHERE s.workspace_id = $1 AND s.card_id = $2 AND s.retired_at IS NULL) o
                      WHERE o.n > $4 AND o.kind = 'failure')`,
    [tx.workspace, cardId, now, MAX_TESTS],
  );
}

/** The tests that a skill is held to now, the oldest first. */
export async function readCases(tx: Tx, cardId: string): Promise<SkillCaseRow[]> {
  return await tx.query<SkillCaseRow>(
    `SELECT id, kind, "case", source_event, source_card, added_at
       FROM skill_tests
      WHERE workspace_id = $1 AND card_id = $2 AND retired_at IS NULL
      ORDER BY added_at, id`,
    [tx.workspace, cardId],
  );
}

export function caseOf(row: Pick<SkillCaseRow, 'kind' | 'case'>): SkillCase {
  return { ...row.case, kind: row.kind } as SkillCase;
}

export function numbered(row: SkillCaseRow): NumberedCase {
  return { ...caseOf(row), id: row.id };
}
