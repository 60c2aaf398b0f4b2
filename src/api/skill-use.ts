import type { Skill } from '../contracts/skill';
import { heldBack, trustOf } from '../domain/policy';
import { skillSummary } from '../domain/skills/summary';
import { queueLateVectors } from '../store/card-edits';
import { HELD_FOR } from '../store/card-holding';
import { makeCurrent, type SkillCardChange, skillIndexText } from '../store/card-writes-skill';
import type { Tx } from '../store/database';
import { testVersion } from '../store/skill-testing';
import { readVersion, type SkillVersionRow, versionBefore } from '../store/skills';
import { findSkills, type VisibleSkill } from '../store/skills-read';
import type { ApiDependencies } from './app';
import { settingsIn } from './card-content';
import { subjectOfRules } from './card-draft';
import { type EmbeddedText, embedText, vectorFor } from './card-embedding';
import { isPerson, readerOf } from './card-rights';
import { standingOf } from './card-standing';
import { stale } from './card-versions';
import type { Asked } from './idempotency';
import { notFound, Problem } from './problem';
import { auditSkill, changeSkill } from './skill-changing';
import type { NamedSkill } from './skill-reading';

/**
 * Runs the tests of a skill on a version, and puts it in use where it fails nothing that the version in
 * use passes. What reads like an instruction waits for a person to run them.
 */
export async function testSkill(
  deps: ApiDependencies,
  request: Asked,
  named: NamedSkill,
  { version, isDry }: { version: number; isDry: boolean },
): Promise<Skill | { id: string }> {
  const embedded = await embedVersion(deps, request, named, () => version);
  return await changeSkill(deps, request, named, async (tx, skill) => {
    const row = await versionOf(tx, skill, version);
    const { mayBecomeCurrent } = await testVersion(tx, skill.card_id, version, deps.clock());
    if (isDry || !mayBecomeCurrent || skill.current_version === version) return { version };
    if (await isHeld(tx, request, skill, row)) return { version, reason: HELD_FOR };
    await putInUse(tx, deps, request, skill, row, embedded, 'skill_version');
    return { version };
  });
}

/** Takes the version before, or the one that is named, back into use; its tests are run and bind nobody. */
export async function rollBackSkill(
  deps: ApiDependencies,
  request: Asked,
  named: NamedSkill,
  wanted: number | null,
): Promise<Skill | { id: string }> {
  const targetOf = async (tx: Tx, skill: VisibleSkill) => {
    const { current_version: current } = skill;
    const before = current === null ? null : await versionBefore(tx, skill.card_id, current);
    return wanted ?? before;
  };
  const embedded = await embedVersion(deps, request, named, targetOf);
  return await changeSkill(deps, request, named, async (tx, skill) => {
    const version = await targetOf(tx, skill);
    if (version === null) throw nothingBefore();
    const row = await versionOf(tx, skill, version);
    if (row.status !== 'retired' && row.status !== 'current') {
      throw new Problem(
        409,
        'never_current',
        'this version was never in use; run its tests to put it in use',
      );
    }
    if (await isHeld(tx, request, skill, row)) {
      throw new Problem(403, HELD_FOR, 'a person takes this version back into use');
    }
    await testVersion(tx, skill.card_id, version, deps.clock());
    if (row.status === 'retired' || skill.status === 'deprecated') {
      await putInUse(tx, deps, request, skill, row, embedded, 'skill_rollback');
    }
    return { version };
  });
}

/** @throws Problem 404 */
async function versionOf(tx: Tx, skill: VisibleSkill, version: number): Promise<SkillVersionRow> {
  const row = await readVersion(tx, skill.card_id, version);
  if (row === null) throw notFound('version of this skill');
  return row;
}

/** Whether the policy holds back what this caller would put in front of others. */
async function isHeld(
  tx: Tx,
  { caller }: Asked,
  { seen }: VisibleSkill,
  { flagged }: SkillVersionRow,
): Promise<boolean> {
  if (!flagged || isPerson(caller)) return false;
  const { policy } = await settingsIn(tx);
  const { summary, scope, hints } = seen.card;
  const { service } = hints;
  const rules = subjectOfRules({ summary, hints: { service } }, scope);
  const trust = trustOf(policy, caller.context.principal.kind, rules);
  return heldBack(policy, { flags: [HELD_FOR], trust });
}

async function putInUse(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  skill: VisibleSkill,
  row: SkillVersionRow,
  embedded: EmbeddedText | null,
  action: SkillCardChange['action'],
): Promise<void> {
  const { caller } = request;
  const { card } = skill.seen;
  const { policy } = await settingsIn(tx);
  const summary = skillSummary(skill.name, row.description, row.document);
  const { flags, ...standing } = standingOf(policy, caller, card, { ...card, summary });
  const vector = vectorFor(embedded, skillIndexText(skill, summary));
  const at = deps.clock();
  const version = await makeCurrent(tx, {
    seen: skill.seen,
    name: skill.name,
    version: row.version,
    description: row.description,
    document: row.document,
    vector,
    columns: { ...standing, flags: row.flagged ? [HELD_FOR] : (flags ?? []) },
    action,
    actor: caller.context.principal,
    at,
  });
  if (version === null) throw stale();
  if (vector === null) await queueLateVectors(tx, at);
  await auditSkill(
    tx,
    deps,
    request,
    skill,
    action,
    ['skill_version', 'summary'],
    [card.version, version],
  );
}

/** The vector of what the card will probably say, before any transaction; null where it is not the caller's. */
async function embedVersion(
  deps: ApiDependencies,
  request: Asked,
  named: NamedSkill,
  wanted: (tx: Tx, skill: VisibleSkill) => number | null | Promise<number | null>,
): Promise<EmbeddedText | null> {
  const reader = readerOf(request.caller, deps.clock);
  const text = await deps.database.inWorkspace(reader[0], async (tx) => {
    const [skill] = await findSkills(tx, reader, named.name, named.scope);
    const version = skill === undefined ? null : await wanted(tx, skill);
    if (skill === undefined || version === null) return null;
    const row = await readVersion(tx, skill.card_id, version);
    if (row === null) return null;
    return skillIndexText(skill, skillSummary(skill.name, row.description, row.document));
  });
  return text === null ? null : await embedText(deps, text);
}

function nothingBefore(): Problem {
  return new Problem(409, 'nothing_before', 'no version of this skill was in use before this one');
}
