import type { Skill, SkillEntry, SkillTest, SkillVersionEntry } from '../contracts/skill';
import type { Tx } from '../store/database';
import { caseOf, readCases } from '../store/skill-cases';
import type { SkillVersionRow } from '../store/skills';
import type { VisibleSkill } from '../store/skills-read';
import { type ReaderArguments, visibleAmong } from '../store/visible-cards';
import type { Caller } from './authentication';
import { maySeePast } from './card-rights';

/** A skill in a list. */
export function entryOf(skill: VisibleSkill): SkillEntry {
  return {
    name: skill.name,
    card_id: skill.card_id,
    version: skill.current_version,
    latest_version: skill.latest_version,
    status: skill.status,
    description: skill.description,
    scope: skill.seen.card.scope,
    deprecated_at: skill.deprecated_at,
    replaced_by: skill.replaced_by,
    created_at: skill.created_at,
  };
}

/**
 * One version, whole, as this reader may see it. What a test or the version itself came from is shown to
 * whoever may see that: a skill of a team tells it nothing of an agent's own work.
 */
export async function skillOf(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  skill: VisibleSkill,
  row: SkillVersionRow,
): Promise<Skill> {
  const cases = await readCases(tx, skill.card_id);
  const named = [...row.cards, ...cases.flatMap(({ source_card: card }) => card ?? [])];
  const seen = named.length === 0 ? new Set<string>() : await visibleAmong(tx, reader, named);
  const isTheirs = maySeePast(caller, skill.seen.card);
  const passed = new Map(row.test_result?.results.map((one) => [one.id, one.passed]) ?? []);
  const tests = cases.map((one): SkillTest => {
    const isShown =
      one.source_card === null ? one.source_event === null || isTheirs : seen.has(one.source_card);
    return {
      id: one.id,
      kind: one.kind,
      case: isShown ? caseOf(one) : null,
      source_card: isShown ? one.source_card : null,
      added_at: one.added_at,
      passed: passed.get(one.id) ?? null,
    };
  });
  const shown = new Set(tests.flatMap((one) => (one.case === null ? [] : [one.id])));
  return {
    ...entryOf(skill),
    status: statusOf(skill, row),
    version: row.version,
    version_status: row.status,
    current_version: skill.current_version,
    description: row.description,
    document: row.document,
    body: row.body,
    tests,
    test_result:
      row.test_result === null
        ? null
        : {
            ...row.test_result,
            results: row.test_result.results.map((one) =>
              shown.has(one.id) ? one : { ...one, at: null },
            ),
          },
    provenance: {
      events: isTheirs ? row.events : [],
      cards: row.cards.filter((id) => seen.has(id)),
      run: row.run_id,
      model: row.model,
      prompt_version: row.prompt_version,
      writer: { kind: row.writer_kind, id: row.writer_id },
    },
    version_created_at: row.created_at,
  };
}

/** Of a version: in use, not yet, or no longer. */
function statusOf(skill: VisibleSkill, { status }: SkillVersionRow): Skill['status'] {
  if (skill.status === 'deprecated' || status === 'retired') return 'deprecated';
  return status === 'current' ? 'current' : 'draft';
}

export function versionEntryOf(row: SkillVersionRow): SkillVersionEntry {
  const result = row.test_result;
  return {
    version: row.version,
    status: row.status,
    description: row.description,
    created_at: row.created_at,
    writer: { kind: row.writer_kind, id: row.writer_id },
    test_result:
      result === null
        ? null
        : {
            at: result.at,
            passed: result.passed,
            failed: result.failed,
            regressions: result.regressions,
          },
  };
}
