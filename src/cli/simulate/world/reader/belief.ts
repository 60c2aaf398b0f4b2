import type { Dice } from '../dice';
import { type Choice, choicesOf, type Dimension } from '../dimensions';
import type { Fact } from './facts';

export interface Decision {
  choice: Choice;
  /** What was read says two things that cannot both be so. */
  contradicted: boolean;
}

/**
 * What to choose on one dimension. `memory` is what was read; `own` is what this task's failures have
 * shown, which outweighs it. `dice` decides where the text is of two minds, or says only what fails.
 */
export function decide(
  dimension: Dimension,
  weekday: number,
  habit: Choice,
  memory: readonly Fact[],
  own: readonly Fact[],
  dice: Dice,
): Decision {
  const mine = own.filter(({ param }) => param === dimension.param);
  const read = memory.filter(({ param }) => param === dimension.param);
  if (dimension.kind === 'batch') return size(Number(habit), read, mine, dice);
  const choices = choicesOf(dimension, weekday);
  const shown = stance(mine, choices);
  const told = stance(read, choices);
  const contested = choices.filter((one) => told.good.has(one) && told.bad.has(one));
  const contradicted = contested.length > 0;
  const known = [...shown.good].filter((one) => !shown.bad.has(one));
  if (known.length > 0) return { choice: preferred(known, habit, dice), contradicted };
  const left = choices.filter((one) => !shown.bad.has(one));
  const sides = left.filter((one) => told.good.has(one));
  const good = sides.filter((one) => !told.bad.has(one));
  // Of two minds: every side that anything speaks for is as likely as the others.
  if (left.some((one) => contested.includes(one))) {
    return { choice: dice.pick(sides), contradicted };
  }
  if (good.length > 0) return { choice: preferred(good, habit, dice), contradicted };
  const open = left.filter((one) => !told.bad.has(one));
  const tried = open.length > 0 ? open : left;
  return { choice: preferred(tried.length > 0 ? tried : choices, habit, dice), contradicted };
}

function preferred(choices: readonly Choice[], habit: Choice, dice: Dice): Choice {
  return choices.includes(habit) ? habit : dice.pick(choices);
}

interface Stance {
  good: Set<Choice>;
  bad: Set<Choice>;
}

/** What facts speak for and against; a demand speaks against everything else. */
function stance(facts: readonly Fact[], choices: readonly Choice[]): Stance {
  const good = new Set<Choice>();
  const bad = new Set<Choice>();
  for (const fact of facts) {
    const named = choices.filter((one) => fact.choices.includes(one));
    for (const one of named) (fact.says === 'out' ? bad : good).add(one);
    if (fact.says !== 'must') continue;
    for (const one of choices) if (!fact.choices.includes(one)) bad.add(one);
  }
  return { good, bad };
}

/** How many pieces at once, of `total`. */
function size(total: number, read: readonly Fact[], mine: readonly Fact[], dice: Dice): Decision {
  const told = numbers(read);
  const shown = numbers(mine);
  const contradicted = isContradicted(told);
  const within = (cap: number) => String(Math.max(1, Math.min(total, Math.floor(cap))));
  const stated = Math.min(...shown.limits);
  if (Number.isFinite(stated)) return { choice: within(stated), contradicted };
  // What has just failed rules out as much and more; what was read below it still counts.
  const roof = Math.min(...shown.out);
  const limits = [...new Set(told.limits)].filter((limit) => limit < roof);
  const works = told.works.filter((one) => one < roof);
  const most = works.length === 0 ? null : Math.max(...works);
  if (isContradicted({ limits, works, out: told.out })) {
    const sides = [...new Set([...limits, ...(most === null ? [] : [most])])];
    const low = Math.min(...told.out);
    const lower = works.filter((one) => one < low);
    if (limits.length === 0) sides.push(lower.length === 0 ? low / 2 : Math.max(...lower));
    return { choice: within(dice.pick(sides)), contradicted };
  }
  const limit = Math.min(...limits);
  if (Number.isFinite(limit)) return { choice: within(limit), contradicted };
  if (most !== null) return { choice: within(most), contradicted };
  const failed = Math.min(roof, ...told.out);
  return {
    choice: within(Number.isFinite(failed) && failed <= total ? failed / 2 : total),
    contradicted,
  };
}

interface Numbers {
  limits: readonly number[];
  works: readonly number[];
  out: readonly number[];
}

function numbers(facts: readonly Fact[]): Numbers {
  const of = (says: Fact['says']) =>
    facts.filter((fact) => fact.says === says).flatMap(({ choices }) => choices.map(Number));
  return { limits: of('must'), works: of('works'), out: of('out') };
}

function isContradicted({ limits, works, out }: Numbers): boolean {
  const highest = Math.max(...limits, ...works);
  return (
    new Set(limits).size > 1 ||
    works.some((one) => limits.some((limit) => one > limit)) ||
    out.some((one) => one <= highest)
  );
}
