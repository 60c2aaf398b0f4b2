import type { Insight, InsightAction } from '../contracts/insight';
import { recommended } from '../domain/insights/recommended';
import { logAccess } from '../store/access-log';
import { evidenceFor } from '../store/action-evidence';
import type { Tx } from '../store/database';
import { type InsightActionRow, keptActionsOf } from '../store/insight-actions';
import { readInsight, type SeenInsight } from '../store/insights-read';
import { baselinesOf } from '../store/metric-snapshots';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { readerOf } from './card-rights';
import { notFound } from './problem';

/**
 * Insights as their readers may see them, judged at each read: whose card they see, without the actions that a person
 * has blocked, each other one by the outcomes that they may know of.
 */
export async function insightsShown(
  tx: Tx,
  reader: ReaderArguments,
  seen: readonly SeenInsight[],
): Promise<Insight[]> {
  const ids = seen.map(({ id }) => id);
  const actions = await keptActionsOf(tx, reader, ids);
  const evidence = await evidenceFor(tx, reader, ids);
  const baselines = await baselinesOf(tx, ids);
  return seen.map((one) => {
    const kept = actions.get(one.id) ?? [];
    const blocked = new Set(kept.flatMap(({ hash, is_blocked }) => (is_blocked ? [hash] : [])));
    const judged = recommended(kept, evidence.get(one.id) ?? new Map(), blocked);
    return {
      id: one.id,
      card_id: one.card.id,
      origin: one.origin,
      title: one.title,
      finding: one.finding ?? one.card.summary,
      domain: one.domain,
      severity: one.severity,
      scope: one.card.scope,
      owner: one.owner,
      urgency: one.urgency,
      baseline: (baselines.get(one.id) ?? []).map(({ is_agents: _, ...metric }) => metric),
      actions: judged.actions.map(actionOf),
      removed: judged.removed,
      window: one.followUp,
      created_at: one.createdAt,
      operation_id: one.operation?.id ?? null,
      workflow_id: one.operation?.workflowId ?? null,
    };
  });
}

function actionOf(
  action: InsightActionRow & Omit<InsightAction, keyof InsightActionRow>,
): InsightAction {
  const { insight_id: _of, position: _at, is_blocked: _not, ...shown } = action;
  return shown;
}

/**
 * One of them, logged; null where the reader does not see its card.
 * @param finder who finds it, where that is another than who is told of outcomes: whoever has just written it
 */
export async function insightFor(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  id: string,
  finder: ReaderArguments = reader,
): Promise<Insight | null> {
  const seen = await readInsight(tx, finder, id);
  if (seen === null) return null;
  if (finder === reader) await logInsights(tx, caller, reader, 'insights.get', [seen]);
  const [shown] = await insightsShown(tx, reader, [seen]);
  return shown ?? null;
}

/** As GET shows it. @throws Problem 404 */
export async function shownInsight(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  id: string,
): Promise<Insight> {
  const found = await insightFor(tx, caller, readerOf(caller, deps.clock), id);
  if (found === null) throw notFound('insight');
  return found;
}

/** No log, no answer. */
export async function logInsights(
  tx: Tx,
  { context }: Caller,
  reader: ReaderArguments,
  surface: 'insights.get' | 'insights.list',
  seen: readonly SeenInsight[],
): Promise<void> {
  const cards = seen.map(({ card, vias }) => ({ id: card.id, vias }));
  await logAccess(tx, context, { surface, at: reader[5], cards });
}
