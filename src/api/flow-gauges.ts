import { Gauge, type Registry } from 'prom-client';
import { DISPOSITIONS } from '../contracts/names';
import type { Flow } from '../store/event-records-flow';
import { OUTBOX_ACTIONS } from '../store/outbox';

export interface Seen {
  /** Null while Postgres does not answer: then its gauges are left out rather than stale. */
  flow: Flow | null;
  /** Parts of the installation, with what each lacks; null where it lacks nothing. */
  readiness: Readonly<Record<string, string | null>>;
  /** Null where Temporal does not say. */
  stuckWorkflows: number | null;
  now: Date;
}

/** What an operator reads of the whole installation; each has its line in docs/operations.md. */
export function flowGauges(registry: Registry): (seen: Seen) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const ready = gauge('cairn_ready', '1 where this part of the installation answers', ['part']);
  const captures = gauge('cairn_captures', 'Events by what became of them', ['disposition']);
  const oldestPending = gauge(
    'cairn_captures_pending_oldest_seconds',
    'Age of the oldest event without its card or its reason',
  );
  const stuckCaptures = gauge(
    'cairn_captures_stuck',
    'Events that have waited for their card for more than five minutes',
  );
  const atModel = gauge(
    'cairn_captures_at_model',
    'Events whose model has been asked and has not answered yet',
  );
  const unsent = gauge('cairn_outbox_unsent', 'Starts that were committed and not yet sent');
  const backlog = gauge(
    'cairn_outbox',
    'The same by kind, with the deliveries of webhooks, and whether it is their time',
    ['action', 'state'],
  );
  const oldestUnsent = gauge('cairn_outbox_oldest_seconds', 'Age of the oldest unsent start');
  const toEmbed = gauge('cairn_captures_to_embed', 'Cards of events that wait for their vector');
  const withoutVector = gauge(
    'cairn_cards_without_vector',
    'Cards that are found by words and not by meaning, whoever wrote them',
  );
  const toDistill = gauge(
    'cairn_captures_to_distill',
    'Cards of the stand-in that wait for the model to write them',
  );
  const toReembed = gauge(
    'cairn_cards_to_reembed',
    'Cards whose vector is of the model before, while another is under way',
  );
  const unsealed = gauge(
    'cairn_audit_unsealed_oldest_seconds',
    'Age of the oldest row of the audit log or the access log that is not sealed yet',
  );
  const passes = gauge(
    'cairn_passes_running',
    'Passes that were asked for or began, and have not ended',
  );
  const oldestPass = gauge(
    'cairn_passes_oldest_seconds',
    'Age of the oldest pass that has not ended; a paused one counts too',
  );
  const failedPasses = gauge(
    'cairn_passes_failed',
    'Passes that failed or could not do all, of the last day',
  );
  const stuckWorkflows = gauge(
    'cairn_workflows_stuck',
    'Running workflows whose tasks keep failing, as Temporal reports them',
  );
  const byLabel = [captures, backlog];
  const single = [
    oldestPending,
    stuckCaptures,
    atModel,
    unsent,
    oldestUnsent,
    toEmbed,
    withoutVector,
  ];
  single.push(toDistill, toReembed, unsealed, stuckWorkflows, passes, oldestPass, failedPasses);

  return ({ flow, readiness, stuckWorkflows: stuck, now }) => {
    for (const one of byLabel) one.reset();
    for (const one of single) one.remove();
    for (const [part, lack] of Object.entries(readiness))
      ready.set({ part }, lack === null ? 1 : 0);
    if (stuck !== null) stuckWorkflows.set(stuck);
    if (flow === null) return;
    for (const disposition of DISPOSITIONS) {
      captures.set({ disposition }, flow.dispositions[disposition] ?? 0);
    }
    oldestPending.set(ageOf(flow.oldestPendingAt, now));
    stuckCaptures.set(flow.stuck);
    atModel.set(flow.atModel);
    for (const action of OUTBOX_ACTIONS) {
      const kind = flow.outbox.find((row) => row.action === action);
      backlog.set({ action, state: 'due' }, kind?.due ?? 0);
      backlog.set({ action, state: 'waiting' }, kind?.waiting ?? 0);
    }
    const starts = flow.outbox.filter(({ action }) => action !== 'deliver_webhook');
    unsent.set(starts.reduce((sum, { due, waiting }) => sum + due + waiting, 0));
    const [oldest = null] = starts.map(({ oldest_at }) => oldest_at).sort();
    oldestUnsent.set(ageOf(oldest, now));
    toEmbed.set(flow.toEmbed);
    withoutVector.set(flow.withoutVector);
    toDistill.set(flow.toDistill);
    toReembed.set(flow.toReembed);
    unsealed.set(ageOf(flow.unsealedSince, now));
    passes.set(flow.passes.running);
    oldestPass.set(ageOf(flow.passes.oldestAt, now));
    failedPasses.set(flow.passes.failed);
  };
}

function ageOf(at: string | null, now: Date): number {
  return at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(at)) / 1000);
}
