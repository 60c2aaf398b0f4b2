import { MODES, PARTS } from './catalogue';
import type { Dice } from './dice';
import { ABSENT, type Choice, type Dimension, slotOf } from './dimensions';

export type RuleKind = 'required_field' | 'format' | 'rate_limit' | 'maintenance_window' | 'opaque';

/** What a rule asks of its dimension. */
export type Demand =
  | { kind: 'required_field'; value: Choice }
  | { kind: 'format'; accepted: readonly Choice[] }
  | { kind: 'rate_limit'; limit: number }
  | { kind: 'maintenance_window'; part: string; from: number; to: number }
  | { kind: 'opaque'; mode: Choice };

export interface RuleVersion {
  /** Names one version of one rule: what a failure has shown. */
  id: string;
  /** First working day, from 0, on which it holds. */
  since: number;
  dimension: Dimension;
  demand: Demand;
}

/** Versions in the order in which they come; the last that has begun holds. */
export interface Rule {
  kind: RuleKind;
  versions: readonly RuleVersion[];
}

export function presentVersion(rule: Rule, day: number): RuleVersion {
  const held = rule.versions.filter(({ since }) => since <= day);
  const last = held[held.length - 1] ?? rule.versions[0];
  if (last === undefined) throw new Error('a rule has at least one version');
  return last;
}

export function breaks(demand: Demand, choice: Choice): boolean {
  switch (demand.kind) {
    case 'required_field':
      return choice !== demand.value;
    case 'format':
      return !demand.accepted.includes(choice);
    case 'rate_limit':
      return Number(choice) > demand.limit;
    case 'maintenance_window':
      return closedSlots(demand).includes(choice);
    case 'opaque':
      return choice !== demand.mode;
    default:
      return demand satisfies never;
  }
}

export function closedSlots(window: { part: string; from: number; to: number }): Choice[] {
  const days = Array.from({ length: window.to - window.from + 1 }, (_, i) => window.from + i);
  return days.map((day) => slotOf(day, window.part));
}

const LIMITS = [25, 40, 50, 75, 100, 120] as const;

/** A demand on a dimension; one that follows `before` differs from it in what works. */
export function drawDemand(dimension: Dimension, before: Demand | null, dice: Dice): Demand {
  switch (dimension.kind) {
    case 'batch': {
      const old = before?.kind === 'rate_limit' ? before.limit : null;
      return {
        kind: 'rate_limit',
        limit: old === null ? dice.pick(LIMITS) : Math.round(old * dice.pick([0.4, 0.5, 2])),
      };
    }
    case 'slot': {
      const old = before?.kind === 'maintenance_window' ? before.part : null;
      const from = dice.whole(0, 1);
      const to = dice.whole(from + 2, 4);
      const part = dice.pick(PARTS.filter((one) => one !== old));
      return { kind: 'maintenance_window', part, from, to };
    }
    case 'mode': {
      const old = before?.kind === 'opaque' ? before.mode : null;
      return { kind: 'opaque', mode: dice.pick(MODES.filter((mode) => mode !== old)) };
    }
    case 'format': {
      const old: readonly Choice[] = before?.kind === 'format' ? before.accepted : [];
      const names = dice.shuffled(dimension.family.formats.map(({ name }) => name));
      const fresh = names.filter((name) => !old.includes(name));
      // One of three is accepted, or two; after a change none of the earlier ones is.
      const count = old.length === 0 && dice.chance(0.3) ? 2 : 1;
      return { kind: 'format', accepted: fresh.slice(0, count) };
    }
    case 'field': {
      const old = before?.kind === 'required_field' ? before.value : null;
      const value = dice.pick(dimension.values.filter((one) => one !== old && one !== ABSENT));
      return { kind: 'required_field', value };
    }
    default:
      return dimension satisfies never;
  }
}
