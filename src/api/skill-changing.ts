import type { Skill } from '../contracts/skill';
import type { HELD_FOR } from '../store/card-holding';
import type { Tx } from '../store/database';
import { holdSkill, readVersion } from '../store/skills';
import type { VisibleSkill } from '../store/skills-read';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { auditCard } from './card-changing';
import { isPerson, readerOf } from './card-rights';
import { namedVersion, stale } from './card-versions';
import { type Asked, writeOnce } from './idempotency';
import { skillAsWritten, skillByCard } from './skill-creating';
import { logSkills, type NamedSkill } from './skill-reading';
import { requireSkillWritable, skillToChange } from './skill-rights';

/** What every change of a skill has in common. */

/** What a change did: the version that it answers with, and why the policy keeps it from being used. */
export interface Changed {
  version: number;
  status?: number;
  reason?: typeof HELD_FOR;
}

/** Runs a change of one skill once; `If-Match` names the version in use that it was decided on. */
export async function changeSkill(
  deps: ApiDependencies,
  request: Asked,
  named: NamedSkill,
  change: (tx: Tx, skill: VisibleSkill, reader: ReaderArguments) => Promise<Changed>,
): Promise<Skill | { id: string }> {
  const { caller } = request;
  const expected = namedVersion(request.headers['if-match']);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const reader = readerOf(caller, deps.clock);
      const { card_id: id } = await skillToChange(tx, caller, reader, named);
      await holdSkill(tx, id);
      const skill = await skillToChange(tx, caller, reader, named);
      if (expected !== null && expected !== (skill.current_version ?? skill.latest_version)) {
        throw stale();
      }
      if (!isPerson(caller)) await requireOn(tx, request, skill);
      const { version, status = 200, reason } = await change(tx, skill, reader);
      const body = await skillAsWritten(tx, caller, id, version, reader[5]);
      await logSkills(tx, caller, reader, [skill]);
      const shown = reason === undefined ? body : { ...body, reason };
      return { status, reference: { id, version }, body: shown };
    },
    rebuild: (tx, { id, version }) =>
      skillByCard(tx, caller, readerOf(caller, deps.clock), id, version),
  });
  deps.pokeOutbox();
  if (answer.body === undefined) throw new Error('a skill was changed without an answer');
  return answer.body;
}

/** An agent whose memory is off, or that a person stopped, changes nothing of what it had. */
async function requireOn(tx: Tx, { caller }: Asked, skill: VisibleSkill): Promise<void> {
  const { scope, summary } = skill.seen.card;
  const row = await readVersion(tx, skill.card_id, skill.current_version ?? skill.latest_version);
  if (row === null) throw new Error('the version of a skill is gone');
  await requireSkillWritable(tx, caller, { document: row.document, scope, text: summary });
}

/** One content-free row about a skill, under its card. */
export async function auditSkill(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  skill: VisibleSkill,
  action: string,
  changed: readonly string[],
  versions: readonly number[] = [skill.seen.card.version],
): Promise<void> {
  await auditCard(tx, deps, request, {
    ...{ action, id: skill.card_id, changed, versions },
    reason: null,
  });
}
