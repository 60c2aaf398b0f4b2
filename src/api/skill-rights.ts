import type { CardScope } from '../contracts/card';
import type { SkillDocument } from '../contracts/skill';
import { writeRoute } from '../domain/policy';
import { callsOf } from '../domain/skills/summary';
import type { Tx } from '../store/database';
import type { WorkspaceSettings } from '../store/settings';
import { findSkills, type VisibleSkill } from '../store/skills-read';
import { readStopped } from '../store/sources';
import type { ReaderArguments } from '../store/visible-cards';
import type { Caller } from './authentication';
import { requireWritable } from './card-creating';
import { subjectOfRules } from './card-draft';
import { isPerson, mayChange } from './card-rights';
import { notAllowed, notFound, Problem } from './problem';
import type { NamedSkill } from './skill-reading';

/**
 * The skill of this name that the caller may change: their own, or the one of the scope that is named.
 * @throws Problem 404, 403, or 409 where several scopes have one.
 */
export async function skillToChange(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  { name, scope }: NamedSkill,
): Promise<VisibleSkill> {
  const found = await findSkills(tx, reader, name, scope);
  if (found.length === 0) throw notFound('skill');
  const [first, second] = found.filter(({ seen }) => mayChange(caller, seen.card));
  if (first === undefined) {
    throw notAllowed('only its own agent, a runtime for it, or a person may change this skill');
  }
  if (second !== undefined) {
    throw new Problem(
      409,
      'several_skills',
      'several scopes have a skill of this name; name one: scope_type and scope_id',
    );
  }
  return first;
}

/** What a skill has its steps call: modes, stops and write rules hold for each of them. */
export async function requireSkillWritable(
  tx: Tx,
  caller: Caller,
  { document, scope, text }: { document: SkillDocument; scope: CardScope; text: string },
): Promise<WorkspaceSettings> {
  const { settings } = await requireWritable(tx, caller, { content: { summary: text }, scope });
  const calls = callsOf(document.steps);
  for (const hints of calls) {
    const route = writeRoute(settings.policy, subjectOfRules({ summary: text, hints }, scope));
    if (route !== 'durable') {
      throw new Problem(403, route, 'a write rule of the policy keeps this out of memory');
    }
  }
  if (isPerson(caller)) return settings;
  const services = [...new Set(document.steps.flatMap(({ service }) => service ?? []))];
  const stopped = await readStopped(tx, caller.context.principal, services);
  if (stopped.services.size > 0) {
    throw new Problem(403, 'stopped', 'a person stopped what comes from one of its services');
  }
  return settings;
}
