import type { UnitInput } from '../contracts/passes';
import { dayStart } from '../domain/consolidation/day-start';
import { type Episode, isSource } from '../domain/consolidation/episode';
import type { PlannedSource } from '../domain/consolidation/moved';
import {
  type ConsolidationPlan,
  type PlanOptions,
  planConsolidation,
} from '../domain/consolidation/plan';
import { durationMs } from '../domain/durations';
import { readEpisodes, withVectors } from './card-writes-episodes';
import { type ConsolidationPart, keepPlan, planOf } from './consolidation-parts';
import type { Tx } from './database';
import { wasAskedFor } from './pass-runs';
import { policyOf } from './settings';

/** What was read for a plan, and what of it waits for another night. */
export interface PlanCounts {
  read: number;
  waiting: number;
}

/** Plans a unit's scope from its cards as they are, and keeps the plan; one that is kept already holds. */
export async function planScope(tx: Tx, unit: UnitInput, now: Date): Promise<PlanCounts> {
  const known = await planOf<PlanCounts>(tx, unit.operation_id);
  if (known !== null) return known;
  const policy = await policyOf(tx);
  const { timezone } = policy.consolidation;
  // By its Schedule a night tells of the days before it; whoever asks for a pass means all there is.
  const before = (await wasAskedFor(tx, unit.parent_id)) ? now : dayStart(unit.day, timezone);
  const tieMs = durationMs(policy.resolve.tie);
  const { episodes, activeCards } = await readEpisodes(tx, unit.scope, { before, now, tieMs });
  const options: PlanOptions = {
    policy: policy.consolidation,
    activeCards,
    before: before.toISOString(),
  };
  const { groups, merges } = await planned(tx, episodes, options);
  const parts: ConsolidationPart[] = [
    ...groups.map(
      ({ retires, sources, ...group }): ConsolidationPart => ({
        kind: 'note',
        ...group,
        sources: sources.map((card) => sourceOf(card, retires.includes(card.id))),
        words: null,
        done: null,
      }),
    ),
    ...merges.map(
      ({ keep, merged }): ConsolidationPart => ({
        kind: 'merge',
        keep: sourceOf(keep, false),
        sources: merged.map((card) => sourceOf(card, true)),
        done: null,
      }),
    ),
  ];
  const taken = parts.reduce((sum, part) => sum + part.sources.length, 0);
  const may = episodes.filter((card) => isSource(card, options.before)).length;
  const counts = { read: episodes.length, waiting: Math.max(0, may - taken) };
  await keepPlan(tx, unit.operation_id, parts, counts, now);
  return counts;
}

/** Vectors are read of those alone that no note tells of, since merging alone asks for them. */
async function planned(
  tx: Tx,
  episodes: readonly Episode[],
  options: PlanOptions,
): Promise<ConsolidationPlan> {
  const first = planConsolidation(episodes, options);
  const told = new Set(first.groups.flatMap(({ sources }) => sources.map(({ id }) => id)));
  const rest = episodes.filter(({ id }) => !told.has(id));
  const known = new Map((await withVectors(tx, rest)).map((card) => [card.id, card]));
  return planConsolidation(
    episodes.map((card) => known.get(card.id) ?? card),
    options,
  );
}

function sourceOf({ id, version, share }: Episode, retires: boolean): PlannedSource {
  return { id, version, share, retires };
}

const AWAY = ['model_rate_limited', 'model_unavailable', 'model_timeout', 'model_not_configured'];
/** Each of them has waited for the model as long as it may. */
const UNITS_THAT_WAITED = 3;

/** Whether the model has been away for other scopes of the same night already: then none waits any more. */
export async function isModelAway(
  tx: Tx,
  { operation_id, parent_id }: UnitInput,
): Promise<boolean> {
  const { count } = await tx.one<{ count: number }>(
    `SELECT count(*)::int AS count
       FROM runs r
      WHERE r.workspace_id = $1 AND r.parent_id = $2 AND r.id <> $3 AND r.result ->> 'stopped_by' = ANY ($4)`,
    [tx.workspace, parent_id, operation_id, AWAY],
  );
  return count >= UNITS_THAT_WAITED;
}
