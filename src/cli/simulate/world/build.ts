import { CATALOGUE, FIELDS, type Named, PARTS } from './catalogue';
import { type Dice, dice } from './dice';
import { ABSENT, type Choice, choicesOf, type Dimension, slotOf } from './dimensions';
import { FAMILIES } from './formats';
import type { WorldParameters } from './frozen';
import { breaks, drawDemand, type Rule, type RuleKind, type RuleVersion } from './rules';

export interface Operation extends Named {
  dimensions: readonly Dimension[];
  /** In the order in which the service checks them. */
  rules: readonly Rule[];
  /** Chance that a call which breaks no rule fails all the same. */
  flaky: number;
}

export interface World {
  seed: number;
  parameters: WorldParameters;
  operations: readonly Operation[];
}

/** The services and their hidden rules; the same seed and parameters give the same world. */
export function buildWorld(seed: number, parameters: WorldParameters): World {
  const operations = CATALOGUE.map((named) =>
    buildOperation(named, parameters, dice(seed, 'operation', named.operation)),
  );
  return { seed, parameters, operations };
}

const KIND_OF: Readonly<Record<Dimension['kind'], RuleKind>> = {
  field: 'required_field',
  format: 'format',
  batch: 'rate_limit',
  slot: 'maintenance_window',
  mode: 'opaque',
};

function buildOperation(named: Named, parameters: WorldParameters, luck: Dice): Operation {
  const family = luck.pick(FAMILIES);
  const [first, second] = luck.shuffled(Object.keys(FIELDS));
  const fields = [first, second].map(
    (param): Dimension => ({
      kind: 'field',
      param: param ?? '',
      values: FIELDS[param ?? ''] ?? [],
    }),
  );
  const others: Dimension[] = luck.shuffled<Dimension>([
    { kind: 'batch', param: 'batch_size' },
    { kind: 'slot', param: 'slot' },
    { kind: 'mode', param: 'mode' },
    { kind: 'format', param: family.param, family },
  ]);
  // One of five rules is about a field; whatever else an operation takes is noise that nothing hangs on.
  const candidates = luck.shuffled([fields[0], ...others].filter((one) => one !== undefined));
  const ruled = candidates.slice(0, luck.chance(parameters.secondRule) ? 2 : 1);
  const noise = others.filter((one) => !ruled.includes(one)).slice(0, 1);
  const rules = CHECKED.flatMap((kind) =>
    ruled
      .filter((dimension) => dimension.kind === kind)
      .map((dimension) => buildRule(named, dimension, fields, parameters, luck)),
  );
  const isFlaky = luck.chance(parameters.flakyShare);
  const [least, most] = parameters.flaky;
  return {
    ...named,
    dimensions: [...fields, ...ruled.filter(({ kind }) => kind !== 'field'), ...noise],
    rules,
    flaky: isFlaky ? least + luck.next() * (most - least) : 0,
  };
}

/** What is wrong with the input is said before the door is looked at. */
const CHECKED = ['field', 'format', 'batch', 'slot', 'mode'] as const;

function buildRule(
  named: Named,
  dimension: Dimension,
  fields: readonly Dimension[],
  parameters: WorldParameters,
  luck: Dice,
): Rule {
  const kind = KIND_OF[dimension.kind];
  const id = `${named.operation}/${kind}`;
  const days = parameters.weeks * parameters.daysAWeek;
  const original: RuleVersion = {
    id: `${id}/1`,
    since: 0,
    dimension,
    demand: drawDemand(dimension, null, luck),
  };
  if (!luck.chance(parameters.changeShare)) return { kind, versions: [original] };
  const [earliest, latest] = parameters.changeAt;
  // A field that was asked for gives way to another one, or to another value of its own.
  const other =
    kind === 'required_field' && luck.chance(0.5) ? (fields[1] ?? dimension) : dimension;
  const changed: RuleVersion = {
    id: `${id}/2`,
    since: luck.whole(Math.floor(days * earliest), Math.floor(days * latest)),
    dimension: other,
    demand: drawDemand(other, other === dimension ? original.demand : null, luck),
  };
  return { kind, versions: [original, changed] };
}

/** What an agent does where nothing tells it otherwise. `total` is what the goal asks for. */
export function habitOf(
  world: World,
  operation: Operation,
  agent: string,
  dimension: Dimension,
  weekday: number,
  total: number,
): Choice {
  if (dimension.kind === 'batch') return String(total);
  const names = ['habit', operation.operation, dimension.param] as const;
  const shared = dice(world.seed, ...names, agent).chance(world.parameters.sharedHabit);
  const luck = shared ? dice(world.seed, ...names) : dice(world.seed, ...names, agent, 'own');
  const version = operation.rules
    .map(({ versions }) => versions[0])
    .find((one) => one?.dimension.param === dimension.param);
  const bad = luck.chance(world.parameters.badHabit);
  const fits = (choice: Choice) => version === undefined || breaks(version.demand, choice) === bad;
  if (dimension.kind === 'field') {
    return bad || version === undefined ? ABSENT : luck.pick(dimension.values.filter(fits));
  }
  if (dimension.kind === 'slot') {
    const demand = version?.demand;
    const closed = demand?.kind === 'maintenance_window' ? demand.part : null;
    const part = luck.pick(PARTS.filter((one) => closed === null || (one === closed) === bad));
    return slotOf(weekday, part);
  }
  return luck.pick(choicesOf(dimension, weekday).filter(fits));
}
