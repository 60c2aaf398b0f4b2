import { z } from 'zod';
import type { CardScope } from '../contracts/card';
import type { Page } from '../contracts/run';
import type {
  Skill,
  SkillDiff,
  SkillEntry,
  SkillStatus,
  SkillVersionEntry,
} from '../contracts/skill';
import { skillDiff } from '../domain/skills/diff';
import { skillMdOf } from '../domain/skills/skill-md';
import { labelSchema } from '../schemas/event';
import { logAccess } from '../store/access-log';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import { recordRecall } from '../store/recall-write';
import { listVersions, readVersion, type SkillVersionRow } from '../store/skills';
import { findSkills, listSkills, type VisibleSkill } from '../store/skills-read';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { type Caller, surfaceOf } from './authentication';
import { maySeePast, readerOf } from './card-rights';
import { pageOf, positionIn } from './paging';
import { notFound } from './problem';
import { entryOf, skillOf, versionEntryOf } from './skill-view';

const BY_NAME = z.tuple([labelSchema, labelSchema]);
const BY_VERSION = z.tuple([z.int().min(1)]);

/** A page of a list, as a query asks for it. */
export interface PageAsked {
  cursor?: string | undefined;
  limit: number;
}

/** Which skill of a name: null takes the nearest. */
export interface NamedSkill {
  name: string;
  scope: CardScope | null;
}

/** A page of the skills that the caller may see, by name. */
export async function skillsPage(
  deps: ApiDependencies,
  caller: Caller,
  status: SkillStatus | null,
  page: PageAsked,
): Promise<Page<SkillEntry>> {
  const reader = readerOf(caller, deps.clock);
  const after = positionIn(page.cursor, BY_NAME);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const found = await listSkills(tx, reader, status, { after, limit: page.limit + 1 });
    const shown = found.skills.slice(0, page.limit);
    await logSkills(tx, caller, reader, shown);
    const entries = found.skills.map(entryOf);
    return pageOf(entries, page.limit, (one) => [one.name, one.card_id], found.total);
  });
}

/**
 * One version of a skill, by default the one in use. What an agent loads goes into its prompt, and is
 * recorded as what a recall injects is.
 * @throws Problem 404; older versions and drafts are there for people and for the agent whose skill it is.
 */
export async function loadSkill(
  deps: ApiDependencies,
  caller: Caller,
  named: NamedSkill,
  version: number | null,
): Promise<Skill> {
  const reader = readerOf(caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const skill = await nearestSkill(tx, reader, named);
    const row = await versionFor(tx, caller, skill, version);
    if (caller.context.agent === null) await logSkills(tx, caller, reader, [skill]);
    else await recordLoad(tx, caller, reader, skill, row.version);
    return await skillOf(tx, caller, reader, skill, row);
  });
}

/** One version as a SKILL.md. */
export async function skillFile(
  deps: ApiDependencies,
  caller: Caller,
  named: NamedSkill,
  version: number | null,
): Promise<string> {
  const skill = await loadSkill(deps, caller, named, version);
  const { name, description, status, body } = skill;
  return skillMdOf({ name, description, version: skill.version, status, body });
}

/** A page of the versions that the caller may see, the newest first. */
export async function versionsPage(
  deps: ApiDependencies,
  caller: Caller,
  named: NamedSkill,
  page: PageAsked,
): Promise<Page<SkillVersionEntry>> {
  const reader = readerOf(caller, deps.clock);
  const before = positionIn(page.cursor, BY_VERSION)?.[0] ?? null;
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const skill = await nearestSkill(tx, reader, named);
    await logSkills(tx, caller, reader, [skill]);
    if (!maySeePast(caller, skill.seen.card)) {
      const only = await versionFor(tx, caller, skill, null);
      return pageOf(before === null ? [versionEntryOf(only)] : [], page.limit, () => [1], 1);
    }
    const rows = await listVersions(tx, skill.card_id, { before, limit: page.limit + 1 });
    const entries = rows.map(versionEntryOf);
    return pageOf(entries, page.limit, (one) => [one.version], skill.latest_version);
  });
}

/** What differs between two versions, by section: left out, the one in use and the latest that is theirs to see. */
export async function diffOfSkill(
  deps: ApiDependencies,
  caller: Caller,
  named: NamedSkill,
  wanted: { from: number | null; to: number | null },
): Promise<SkillDiff> {
  const reader = readerOf(caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const skill = await nearestSkill(tx, reader, named);
    await logSkills(tx, caller, reader, [skill]);
    const latest = maySeePast(caller, skill.seen.card) ? skill.latest_version : null;
    const before = await versionFor(tx, caller, skill, wanted.from);
    const after = await versionFor(tx, caller, skill, wanted.to ?? latest);
    return {
      ...{ name: skill.name, from: before.version, to: after.version },
      sections: skillDiff(before, after),
    };
  });
}

/** @throws Problem 404 */
async function nearestSkill(
  tx: Tx,
  reader: ReaderArguments,
  { name, scope }: NamedSkill,
): Promise<VisibleSkill> {
  const [nearest] = await findSkills(tx, reader, name, scope);
  if (nearest === undefined) throw notFound('skill');
  return nearest;
}

/** @throws Problem 404 */
async function versionFor(
  tx: Tx,
  caller: Caller,
  skill: VisibleSkill,
  version: number | null,
): Promise<SkillVersionRow> {
  const { current_version: current, latest_version: latest, seen } = skill;
  const isTheirs = maySeePast(caller, seen.card);
  const number = version ?? current ?? (isTheirs ? latest : null);
  if (number === null) throw notFound('skill');
  if (number !== current && !isTheirs) throw notFound('version of this skill');
  const row = await readVersion(tx, skill.card_id, number);
  if (row === null) throw notFound('version of this skill');
  return row;
}

/** No log, no answer: it commits with the read. */
export async function logSkills(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  skills: readonly VisibleSkill[],
): Promise<void> {
  await logAccess(tx, caller.context, {
    surface: surfaceOf(caller, 'skills'),
    at: reader[5],
    cards: skills.map(({ card_id: id, seen }) => ({ id, vias: seen.vias })),
  });
}

/** With the access row of whoever loads what is not their own. */
async function recordLoad(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  { card_id: id, seen }: VisibleSkill,
  version: number,
): Promise<void> {
  const at = reader[5];
  await recordRecall(tx, {
    id: newId('recall', at),
    at,
    context: caller.context,
    intent: 'act',
    profile: 'fleet',
    contextVersion: `${id}@${version}`,
    degraded: [],
    cards: [{ id, score: 1, vias: seen.vias }],
    sectionOf: new Map([[id, 'worked']]),
    surface: surfaceOf(caller, 'skills'),
  });
}
