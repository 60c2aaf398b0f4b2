import type { Json, JsonObject } from '../../../contracts/event';
import type { Operation } from './build';
import { dice } from './dice';
import { type Choice, sentAs } from './dimensions';
import { flakyError, refusal } from './messages';
import { breaks, presentVersion, type RuleVersion } from './rules';
import type { PlannedCall } from './tasks';

export type Answer =
  | { outcome: 'worked'; output: JsonObject }
  /** `broken` is null where the failure was chance. */
  | { outcome: 'failed'; error: Json; broken: Broken | null };

/** A rule's version that a call broke, by which choice, and whether the error told all of the rule. */
export interface Broken {
  version: RuleVersion;
  choice: Choice;
  tellsAll: boolean;
}

/** What a service answers to a call; `attempt` counts from 0. Its luck is the same for every arm. */
export function answer(
  seed: number,
  operation: Operation,
  call: PlannedCall,
  choices: ReadonlyMap<string, Choice>,
  attempt: number,
): Answer {
  for (const rule of operation.rules) {
    const version = presentVersion(rule, call.day);
    const { dimension, demand } = version;
    const choice = choices.get(dimension.param) ?? '';
    if (!breaks(demand, choice)) continue;
    const sent = sentAs(dimension, choice, call.datum);
    const luck = dice(seed, 'words', call.id, attempt);
    const said = refusal(operation.service, dimension.param, demand, choice, sent, luck);
    const broken = { version, choice, tellsAll: said.tellsAll };
    return { outcome: 'failed', error: said.error, broken };
  }
  if (dice(seed, 'flaky', call.id, attempt).chance(operation.flaky)) {
    return { outcome: 'failed', error: flakyError(seed, call.id, attempt), broken: null };
  }
  const reference = dice(seed, 'reference', call.id).whole(10_000, 99_999);
  return { outcome: 'worked', output: { status: 'ok', reference: `ref-${reference}` } };
}
