import type { EventKind, PrincipalKind, Trust } from '../contracts/names';
import type { Policy, PolicyMatch } from '../contracts/policy';
import type {
  BeforeAfter,
  Moved,
  PolicyEffects,
  RuleEffects,
  RuleHits,
} from '../contracts/policy-preview';
import { PREVIEW_BOUNDS } from '../contracts/policy-preview';
import type { TeamStep } from '../contracts/proposal';
import { durationMs } from './durations';
import { heldBack, ruleMatches, trustOf, writeRoute } from './policy';
import { type ConflictCard, verdict } from './resolve';

/** What a candidate policy would have done with what is stored: counts, by the rules that hold. */

/** Events that no rule can tell apart. */
export interface EventGroup {
  service: string | null;
  operation: string | null;
  agent: string;
  kind: EventKind;
  reporter: PrincipalKind;
  events: number;
}

/** Which events would have gone another way, and which rule of the candidate matches how many. */
export function writeEffects(
  groups: readonly EventGroup[],
  before: Policy,
  after: Policy,
): RuleEffects<'durable' | 'transient' | 'sensitive'> {
  return {
    moved: movedAmong(groups, (group) => [writeRoute(before, group), writeRoute(after, group)]),
    rules: hitsOf(
      groups,
      after.capture.write_rules.map(({ match, route }) => ({ match, to: route })),
    ),
  };
}

export function trustEffects(
  groups: readonly EventGroup[],
  before: Policy,
  after: Policy,
): RuleEffects<Trust> {
  // A person who reports settled work acts as a runtime.
  const credential = ({ reporter }: EventGroup): Trust =>
    reporter === 'agent' ? 'agent' : 'runtime';
  return {
    moved: movedAmong(groups, (group) => [
      trustOf(before, credential(group), group),
      trustOf(after, credential(group), group),
    ]),
    rules: hitsOf(
      groups,
      after.capture.trust_rules.map(({ match, trust }) => ({ match, to: trust })),
    ),
  };
}

function movedAmong<Way extends string>(
  groups: readonly EventGroup[],
  ways: (group: EventGroup) => [from: Way, to: Way],
): Moved<Way>[] {
  const moved = new Map<string, Moved<Way>>();
  for (const group of groups) {
    const [from, to] = ways(group);
    if (from === to) continue;
    const known = moved.get(`${from} ${to}`);
    const events = (known?.events ?? 0) + group.events;
    moved.set(`${from} ${to}`, { from, to, events });
  }
  return [...moved.values()].sort((a, b) => b.events - a.events);
}

function hitsOf<Way extends string>(
  groups: readonly EventGroup[],
  rules: readonly { match: PolicyMatch; to: Way }[],
): RuleHits<Way>[] {
  return rules.map(({ match, to }, index) => ({
    index,
    match,
    to,
    events: groups
      .filter((group) => ruleMatches(match, group))
      .reduce((sum, group) => sum + group.events, 0),
  }));
}

/** A card that reads like an instruction, with the trust of its credential before any rule. */
export interface FlaggedGroup extends EventGroup {
  flags: readonly string[];
}

/** How many of them each policy holds back when they are filed. */
export function holdingEffects(
  groups: readonly FlaggedGroup[],
  before: Policy,
  after: Policy,
): BeforeAfter {
  const heldBy = (policy: Policy) =>
    groups
      .filter((group) => {
        const credential: Trust = group.reporter === 'agent' ? 'agent' : 'runtime';
        return heldBack(policy, { flags: group.flags, trust: trustOf(policy, credential, group) });
      })
      .reduce((sum, group) => sum + group.events, 0);
  return { before: heldBy(before), after: heldBy(after) };
}

/** A step with the times of its failures, epoch milliseconds. */
export interface FailedStep extends TeamStep {
  times: readonly number[];
}

/** Which steps strike out, by the count and the window of each policy. */
export function strikeEffects(
  steps: readonly FailedStep[],
  before: Policy,
  after: Policy,
): NonNullable<PolicyEffects['strikes']> {
  const judged = steps.map(({ team, workflow, step, times }) => {
    const failures = (policy: Policy) => mostInWindow(times, durationMs(policy.strikes.window));
    const [held, wouldHold] = [failures(before), failures(after)];
    return {
      named: { team, workflow, step },
      before: held,
      after: wouldHold,
      isOut: held >= before.strikes.count,
      wouldBe: wouldHold >= after.strikes.count,
    };
  });
  const named = (found: typeof judged, count: 'before' | 'after') =>
    found
      .map((one) => ({ ...one.named, failures: one[count] }))
      .sort((a, b) => b.failures - a.failures)
      .slice(0, PREVIEW_BOUNDS.named);
  return {
    steps: {
      before: judged.filter(({ isOut }) => isOut).length,
      after: judged.filter(({ wouldBe }) => wouldBe).length,
    },
    begin: named(
      judged.filter(({ isOut, wouldBe }) => wouldBe && !isOut),
      'after',
    ),
    end: named(
      judged.filter(({ isOut, wouldBe }) => isOut && !wouldBe),
      'before',
    ),
  };
}

/** The most times that lie within one window: later than its start, up to its end. */
export function mostInWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  sorted.forEach((end, last) => {
    while ((sorted[first] ?? end) <= end - windowMs) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
}

/** How many conflicts stay open, by the tie of each policy. */
export function contradictionEffects(
  pairs: readonly (readonly [ConflictCard, ConflictCard])[],
  before: Policy,
  after: Policy,
): BeforeAfter {
  const openBy = (policy: Policy) => {
    const tie = durationMs(policy.resolve.tie);
    return pairs.filter(([one, other]) => verdict(one, other, tie).open).length;
  };
  return { before: openBy(before), after: openBy(after) };
}
