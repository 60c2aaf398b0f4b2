import type { Insight, MetricSnapshot } from '../contracts/insight';
import { DAY_MS } from '../domain/durations';
import { insightSummary } from '../domain/insights/summary';
import { urgencyOf } from '../domain/insights/urgency';
import { VELOCITY_DAYS } from '../domain/insights/velocity';
import type { NewInsightBody } from '../schemas/insights';
import { writeAudit } from '../store/audit';
import type { HELD_FOR } from '../store/card-holding';
import type { Tx } from '../store/database';
import { insertEdges } from '../store/edge-writes';
import { newId } from '../store/ids';
import { type BlockedAction, insertInsight } from '../store/insights';
import { latestPushed, pushedWithin } from '../store/metric-snapshots';
import { type ReaderArguments, visibleAmong } from '../store/visible-cards';
import { announce } from '../store/webhooks';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { settingsIn } from './card-content';
import { createCard, type HandWritten, prepareCard, type WrittenCard } from './card-creating';
import { isPerson, readerOf } from './card-rights';
import { type Asked, writeOnce } from './idempotency';
import { type FitInsight, type FitMetric, fitInsight } from './insight-fitting';
import { insightFor } from './insight-view';
import { badRequest } from './problem';

/** An insight as whoever saved it is shown it, with why it is held back where it is. */
export type SavedInsight = Insight & { reason?: typeof HELD_FOR };

/**
 * Saves an insight with its card, once per `Idempotency-Key`, whatever its origin.
 * @throws Problem by rights, redaction, modes and policy as for a card; 400 where a source is none that the writer sees
 */
export async function saveInsightOnce(
  deps: ApiDependencies,
  request: Asked,
  body: NewInsightBody,
): Promise<SavedInsight | { id: string }> {
  const { caller } = request;
  const settings = await deps.database.inWorkspace(caller.context.workspace, settingsIn);
  const { insight, card } = fitInsight(deps, caller, settings, body);
  const written = await prepareCard(deps, request, card);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      await requireSources(tx, readerOf(caller, deps.clock), insight.sources);
      const made = await createInsight(tx, deps, caller, written, insight);
      const shown = await asWritten(tx, deps, caller, made.id);
      const { reason } = made.card;
      const answered: SavedInsight = reason === undefined ? shown : { ...shown, reason };
      return { status: 201, reference: { id: made.id }, body: answered };
    },
    rebuild: async (tx, { id }) => await insightFor(tx, caller, readerOf(caller, deps.clock), id),
  });
  deps.pokeOutbox();
  if (answer.body === undefined) throw new Error('an insight was saved without an answer');
  return answer.body;
}

/** @throws Problem 400: one of others looks like one that is not there. */
export async function requireSources(
  tx: Tx,
  reader: ReaderArguments,
  sources: readonly string[],
): Promise<void> {
  const seen = await visibleAmong(tx, reader, sources);
  const foreign = sources.findIndex((id) => !seen.has(id));
  if (foreign >= 0) {
    throw badRequest('sources: names a card that this key does not see', `/sources/${foreign}`);
  }
}

/**
 * The one way in which an insight is made: its card, its numbers, its score and its actions, in the caller's
 * transaction. Actions that a person has blocked are kept, shown to nobody, and audited by their ids.
 */
export async function createInsight(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  written: HandWritten,
  insight: FitInsight,
): Promise<{ id: string; card: WrittenCard }> {
  const beside = insight.actions.map(({ text }) => text).join('\n');
  const card = await createCard(tx, deps, caller, { ...written, beside }, false);
  const at = new Date(card.recorded_at);
  const { policy } = await settingsIn(tx);
  const baseline = await numbered(tx, insight.metrics, at);
  const names = baseline.map(({ name }) => name);
  const since = new Date(at.getTime() - VELOCITY_DAYS * DAY_MS);
  const { title, finding, domain, severity } = insight;
  const urgency = urgencyOf({
    ...{ severity, finding, domain, metrics: baseline },
    series: await pushedWithin(tx, names, { since, until: at }),
    policy: policy.insights,
    now: at,
  });
  const id = newId('ins', at);
  const { principal } = caller.context;
  const isSaid = card.summary === insightSummary(title, finding);
  const blocked = await insertInsight(tx, {
    ...{ id, cardId: card.id, origin: insight.origin, domain, severity, urgency, baseline, at },
    title: isSaid ? title : null,
    finding: isSaid ? finding : null,
    followUp: insight.window ?? policy.insights.window,
    owner: ownerOf(caller),
    actions: insight.actions.map((action) => ({ id: newId('act', at), ...action })),
    writer: { kind: principal.kind, id: principal.id },
  });
  await linkSources(tx, card.id, insight.sources, at);
  await auditSaving(tx, caller, { id, cardId: card.id, blocked, at });
  if (urgency.score > policy.insights.urgent_above && card.status !== 'quarantined') {
    const data = { insight_id: id, card_id: card.id, score: urgency.score };
    await announce(tx, { type: 'insight.urgent', at, data });
  }
  return { id, card };
}

/** Whoever looks after it: a person, or the agent that it is saved for. */
function ownerOf(caller: Caller): { kind: string; id: string } {
  const { agent, principal } = caller.context;
  if (!isPerson(caller) && agent !== null) return { kind: 'agent', id: agent };
  return { kind: principal.kind, id: principal.id };
}

/** @throws Problem 400 where no number was given, and none was pushed. */
async function numbered(
  tx: Tx,
  metrics: readonly FitMetric[],
  now: Date,
): Promise<MetricSnapshot[]> {
  const pushed = await latestPushed(tx, metrics, now);
  return metrics.map(({ value, ...metric }, at) => {
    const latest = pushed[at] ?? null;
    const goal = metric.goal ?? latest?.goal ?? null;
    if (value !== null) return { ...metric, value, goal };
    if (latest === null) {
      throw badRequest(
        'metrics: nothing was pushed under this name and unit yet; give its value',
        `/metrics/${at}/name`,
      );
    }
    return { ...latest, unit: latest.unit ?? metric.unit, goal };
  });
}

async function linkSources(
  tx: Tx,
  cardId: string,
  sources: readonly string[],
  at: Date,
): Promise<void> {
  // What waited for a parent may name what was deleted meanwhile.
  const everything: ReaderArguments = [tx.workspace, null, null, true, null, at];
  const standing = await visibleAmong(tx, everything, sources);
  const lineage = [...standing].map((to) => ({
    ...{ type: 'derived_from' as const, from: cardId, to },
    ...{ confidence: 1, reason: 'named as a source of this insight' },
  }));
  await insertEdges(tx, lineage, at);
}

async function auditSaving(
  tx: Tx,
  { context, channel }: Caller,
  saved: { id: string; cardId: string; blocked: readonly BlockedAction[]; at: Date },
): Promise<void> {
  const { id, cardId, blocked, at } = saved;
  const row = { at, actor: context.principal, channel, target: { type: 'insight', id } };
  await writeAudit(tx, { ...row, action: 'insight.saved', hashes: { card: cardId } });
  for (const { id: action, hash } of blocked) {
    const target = { type: 'action', id: hash };
    const hashes = { insight: id, action };
    await writeAudit(tx, { ...row, action: 'action.removed', target, hashes });
  }
}

/** Who writes sees what they wrote, even where the agent they name would not; of others' outcomes what they see. */
async function asWritten(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  id: string,
): Promise<Insight> {
  const everything: ReaderArguments = [tx.workspace, null, null, true, null, deps.clock()];
  const shown = await insightFor(tx, caller, readerOf(caller, deps.clock), id, everything);
  if (shown === null) throw new Error('an insight vanished in the transaction that saved it');
  return shown;
}
