import type { SkillTestResult, SkillVersionStatus } from '../contracts/skill';
import { regressions, replay } from '../domain/skills/replay';
import type { Tx } from './database';
import { numbered, readCases } from './skill-cases';
import { holdSkill, readVersion, type SkillVersionRow } from './skills';

export interface TestedSkill {
  result: SkillTestResult;
  /** It fails nothing that the version in use passes; where none is in use, nothing at all. */
  mayBecomeCurrent: boolean;
  status: SkillVersionStatus;
}

/**
 * Replays the tests of a skill on one of its versions, beside the version in use, and keeps what came of
 * it. A draft that is a step back is `failed`; one that failed and no longer does is a draft again.
 * @throws where there is no such skill or version: the caller has looked.
 */
export async function testVersion(
  tx: Tx,
  cardId: string,
  version: number,
  now: Date,
): Promise<TestedSkill> {
  const head = await holdSkill(tx, cardId);
  const candidate = await readVersion(tx, cardId, version);
  if (head === null || candidate === null) throw new Error('a version that is tested is gone');
  const cases = (await readCases(tx, cardId)).map(numbered);
  const results = replay(candidate, cases);
  const inUse = await versionInUse(tx, cardId, head.current_version, candidate);
  const held =
    inUse === null ? results.map((one) => ({ ...one, passed: true })) : replay(inUse, cases);
  const back = regressions(held, results);
  const result: SkillTestResult = {
    at: now.toISOString(),
    passed: results.filter(({ passed }) => passed).length,
    failed: results.filter(({ passed }) => !passed).length,
    regressions: back,
    results,
  };
  const status = statusAfter(candidate.status, back.length > 0);
  await tx.query(
    `UPDATE skill_versions SET test_result = $4, status = $5
      WHERE workspace_id = $1 AND card_id = $2 AND version = $3`,
    [tx.workspace, cardId, version, JSON.stringify(result), status],
  );
  return { result, mayBecomeCurrent: back.length === 0, status };
}

async function versionInUse(
  tx: Tx,
  cardId: string,
  current: number | null,
  candidate: SkillVersionRow,
): Promise<SkillVersionRow | null> {
  if (current === null) return null;
  return current === candidate.version ? candidate : await readVersion(tx, cardId, current);
}

function statusAfter(status: SkillVersionStatus, isStepBack: boolean): SkillVersionStatus {
  if (status === 'current' || status === 'retired') return status;
  return isStepBack ? 'failed' : 'draft';
}
