import fc from 'fast-check';
import { Dice } from '../faults/dice';
import { type Organisation, organisation } from '../organisation';
import { COMMON_WORD } from '../organisation-plant';
import type { Surface } from '../surfaces/surface';
import { SURFACES } from '../surfaces/table';
import { CHANGES } from './changes';
import { type LeakStage, LeakWorkspace } from './workspace';

export interface LeakOptions {
  seed: number;
  reads: number;
  /** Told of each wrong read at once. */
  onWrong(wrong: WrongRead): void;
}

/** A read that showed what the model hides, or hid what it shows. */
export interface WrongRead {
  seed: number;
  read: number;
  workspace: string;
  surface: string;
  reader: object;
  leaked: string[];
  missing: string[];
}

export interface LeakResult {
  seed: number;
  reads: number;
  leaks: number;
  missing: number;
  /** Cards shown and hidden, over all reads: zeros would prove nothing. */
  shown: number;
  hidden: number;
  changes: number;
  refused: number;
  surfaces: Record<string, number>;
}

/** Each of them has agents, people and cards of the same ids. */
const WORKSPACES = 3;
/** Of one world, before the next is drawn. */
const READS_A_WORLD = 250;
const READS_A_CHANGE = 3;
/** Of a surface that shows one card a call. */
const CARDS_ASKED = 3;
const RECALLS = SURFACES.filter(({ name }) => name.startsWith('recall'));
const SHARE_OF_RECALL = 0.5;
/** Of the readers at whom the rules are finest; drawn evenly they would be one in ten. */
const SHARE_OF_FINE = 0.4;

/** Reads, changes, and reads again, holding each answer against the model of that very moment. */
export async function runLeaks(stage: LeakStage, options: LeakOptions): Promise<LeakResult> {
  const { seed, reads } = options;
  const dice = new Dice(seed);
  const result: LeakResult = {
    ...{ seed, reads: 0, leaks: 0, missing: 0, shown: 0, hidden: 0, changes: 0, refused: 0 },
    surfaces: {},
  };
  const worlds = fc.sample(
    organisation.filter(({ agents, cards }) => agents.length > 5 && cards.length > 8),
    { seed, numRuns: Math.ceil(reads / READS_A_WORLD) * WORKSPACES },
  );
  for (let world = 0; result.reads < reads; world += 1) {
    const spaces: LeakWorkspace[] = [];
    for (let n = 0; n < WORKSPACES; n += 1) {
      const drawn = worlds[world * WORKSPACES + n] as Organisation;
      const org = n === 0 ? inOneLine(drawn) : drawn;
      spaces.push(await LeakWorkspace.plant(stage, `w${world}-${n}-s${seed}`, org));
    }
    const upTo = Math.min(reads, result.reads + READS_A_WORLD);
    while (result.reads < upTo) {
      if (result.reads % READS_A_CHANGE === 0) {
        const done = await dice.pick(CHANGES)(dice.pick(spaces), dice, stage);
        result[done ? 'changes' : 'refused'] += 1;
      }
      await readOnce(stage, dice, dice.pick(spaces), result, options);
    }
  }
  return result;
}

/** Each agent under the one before it: the fourth ancestor, who lends nothing, is rare otherwise. */
function inOneLine(org: Organisation): Organisation {
  const agents = org.agents.map((one, at) => ({ ...one, parent: org.agents[at - 1]?.id ?? null }));
  return { ...org, agents };
}

async function readOnce(
  stage: LeakStage,
  dice: Dice,
  space: LeakWorkspace,
  result: LeakResult,
  { seed, onWrong }: LeakOptions,
): Promise<void> {
  const fine = space.fineReaders();
  const who = dice.pick(fine.length > 0 && dice.next() < SHARE_OF_FINE ? fine : space.readers());
  const reader = space.credentials(who, dice.next() < 0.5);
  const surface = surfaceFor(dice);
  if (surface.serves?.(reader) === false) return;
  result.reads += 1;
  result.surfaces[surface.name] = (result.surfaces[surface.name] ?? 0) + 1;
  const all = space.cards();
  const asked =
    surface.one === undefined
      ? all
      : Array.from({ length: CARDS_ASKED }, () => dice.pick(all)).filter(
          (card, at, list) => list.indexOf(card) === at,
        );
  const expected = space.expected(surface, who, asked);
  const { ids, text } = await surface.read(stage.door, reader, asked);
  const hidden = space.hidden(who);
  const foreign = text.match(new RegExp(`${COMMON_WORD} of [\\w-]+`, 'g')) ?? [];
  const leaked = [
    ...ids.filter((id) => !expected.includes(id)),
    ...hidden.filter((summary) => text.includes(summary)),
    ...foreign.filter((name) => name !== `${COMMON_WORD} of ${space.id}`),
  ];
  const missing = surface.isPartial ? [] : expected.filter((id) => !ids.includes(id));
  result.shown += expected.length;
  result.hidden += hidden.length;
  if (leaked.length > 0) result.leaks += 1;
  if (missing.length > 0) result.missing += 1;
  if (leaked.length + missing.length === 0) return;
  const [read, workspace] = [result.reads, space.id];
  onWrong({ ...{ seed, read, workspace, surface: surface.name, reader: who, leaked, missing } });
}

/** Recall first; the others by turns. */
function surfaceFor(dice: Dice): Surface {
  return dice.pick(dice.next() < SHARE_OF_RECALL ? RECALLS : SURFACES);
}
