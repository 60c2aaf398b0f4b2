import type { UnitInput } from '../contracts/passes';
import type { ReflectionPlan } from '../contracts/reflection';
import { memberOf } from '../domain/consolidation/groups';
import { durationMs } from '../domain/durations';
import { budgetOf } from '../domain/reflection/budget';
import { batchesOf, cursorsOf, type PlannedCard } from '../domain/reflection/plan';
import { readSources } from './card-writes-episodes';
import type { Tx } from './database';
import { knownFacts, selectCards } from './filing-reflection';
import { scopesSwitchedOn } from './filing-scopes';
import { readTo } from './reflected-scopes';
import { policyOf } from './settings';

/** Of what is known already, as much as a model is shown. */
export const KNOWN_SHOWN = 40;
const KNOWN_LENGTH = 200;

/** What a reflection of a unit's scope is going to look at: as much as its budget of cards allows. */
export async function planReflection(
  tx: Tx,
  { scope, budget: asked }: UnitInput,
  { byModel, now }: { byModel: boolean; now: Date },
): Promise<ReflectionPlan> {
  const policy = await policyOf(tx);
  const budget = budgetOf(asked, policy.reflection.budget);
  if ((await scopesSwitchedOn(tx, [scope])).length === 0) {
    return { batches: [], cursors: [null], more: false, budget };
  }
  const after = await readTo(tx, scope);
  const { cards: selected, more } = await selectCards(tx, {
    scope,
    after,
    limit: budget.cards,
    now,
  });
  const episodes = await readSources(
    tx,
    selected.map(({ id }) => id),
    { now, tieMs: durationMs(policy.resolve.tie) },
  );
  const cards = selected.flatMap(({ id, at, fresh }): PlannedCard[] => {
    const card = episodes.get(id);
    return card === undefined ? [] : [{ id, at, fresh, card }];
  });
  const known = byModel ? await knownByMember(tx, cards, now) : null;
  const { batches, left } = batchesOf(cards, known);
  return { batches, cursors: cursorsOf(cards, batches, left), more: more || left, budget };
}

/** What a model will be shown as known beside the cards of each member: it costs as much as they do. */
async function knownByMember(
  tx: Tx,
  cards: readonly PlannedCard[],
  now: Date,
): Promise<Map<string, string[]>> {
  const known = new Map<string, string[]>();
  for (const { card: like } of cards) {
    const member = memberOf(like);
    if (known.has(member)) continue;
    const facts = await knownFacts(tx, { like, call: null, now });
    const shown = facts.slice(0, KNOWN_SHOWN).map((text) => text.slice(0, KNOWN_LENGTH));
    known.set(member, shown);
  }
  return known;
}
