import type { Clock } from '../contracts/clock';
import type { RetentionPart, UpkeepBatch, UpkeepBatchInput } from '../contracts/upkeep';
import { droppedResult } from '../domain/conversation/dropped-result';
import { expiringKinds, type RetentionTimes, retentionTimes } from '../domain/retention';
import { tokensOf } from '../models/token-count';
import { type Batch, evictCards } from '../store/card-writes-evicted';
import { expireCards, type RetentionPass } from '../store/card-writes-expired';
import { purgeCards } from '../store/card-writes-purged';
import { purgeQuotes } from '../store/card-writes-quoted';
import type { Database, Tx } from '../store/database';
import { dropOldDrafts, dropPayloads, expireUndecided } from '../store/payloads-dropped';
import { policyOf } from '../store/settings';
import { dropToolResults } from '../store/tool-results-dropped';
import { noteUpkeep, upkeepCounts } from '../store/upkeep-counts';
import { executionOf } from './execution';

export interface RetentionDependencies {
  database: Database;
  clock: Clock;
}

export interface RetentionActivities {
  /** One transaction: what is retired, purged or dropped, its versions, audit rows and the diff of the run. */
  retainBatch(input: UpkeepBatchInput<RetentionPart>): Promise<UpkeepBatch>;
}

/** Rows of one transaction: purging a card is some forty postings and a dozen deletes by index. */
const ROWS = 200;

type NewChanges = Parameters<typeof noteUpkeep>[2];

/** What a batch did: the last id that it looked at where it was full, and its lines of the diff. */
interface Done {
  ids: readonly string[];
  changes: NewChanges;
}

export function createRetentionActivities({
  database,
  clock,
}: RetentionDependencies): RetentionActivities {
  return {
    retainBatch: ({ unit, part, after, most }) =>
      database.inWorkspace(unit.workspace, async (tx) => {
        const policy = await policyOf(tx);
        const times = retentionTimes(policy, clock());
        const { workflowId } = executionOf();
        const pass: RetentionPass = { now: times.now, workflowId, dryRun: unit.dry_run };
        const limit = Math.min(ROWS, most ?? ROWS);
        const kinds = expiringKinds(policy.retention.by_kind);
        const { ids, changes } = await PARTS[part](tx, { after, limit }, { times, kinds, pass });
        const run = { operationId: unit.operation_id, dryRun: unit.dry_run, now: times.now };
        await noteUpkeep(tx, run, changes);
        return {
          next: ids.length < limit ? null : (ids.at(-1) ?? null),
          counts: await upkeepCounts(tx, unit.operation_id),
        };
      }),
  };
}

interface Rules {
  times: RetentionTimes;
  kinds: ReturnType<typeof expiringKinds>;
  pass: RetentionPass;
}

const PARTS: Readonly<
  Record<RetentionPart, (tx: Tx, batch: Batch, rules: Rules) => Promise<Done>>
> = {
  expire: async (tx, batch, { kinds, pass }) => {
    const cards = await expireCards(tx, batch, kinds, pass);
    return {
      ids: cards.map(({ id }) => id),
      changes: cards.map(({ id, version }) => ({
        change: 'retired',
        card_id: id,
        reason: 'expired',
        ...versionsOf(version, pass),
      })),
    };
  },

  evict: async (tx, batch, { times, pass }) => {
    const ids = await evictCards(tx, batch, { ...pass, since: times.restorableSince });
    return {
      ids,
      changes: ids.map((id) => ({ change: 'purged', card_id: id, reason: 'index' })),
    };
  },

  purge: async (tx, batch, { times, kinds, pass }) => {
    const due = { kinds, since: times.restorableSince, forget: times.forget };
    const cards = await purgeCards(tx, batch, due, pass);
    return {
      ids: cards.map(({ id }) => id),
      changes: cards.map(({ id, version, reason }) => ({
        change: 'purged',
        card_id: id,
        reason: `purge_${reason}` as const,
        ...versionsOf(version, pass),
      })),
    };
  },

  quotes: async (tx, batch, { pass }) => {
    const ids = await purgeQuotes(tx, batch, pass.dryRun);
    return { ids, changes: named('quotes', ids) };
  },

  payloads: async (tx, batch, { times, pass }) => {
    const due = { since: times.payloadsSince, forget: times.forget };
    const ids = await dropPayloads(tx, batch, due, pass);
    return { ids, changes: named('payloads', ids) };
  },

  drafts: async (tx, { limit }, { times, pass }) => {
    if (!pass.dryRun) {
      await dropOldDrafts(tx, times.restorableSince);
      await expireUndecided(tx, times, pass);
    }
    const due = { since: times.payloadsSince, limit };
    const ids = await dropToolResults(tx, due, pass, (result) => droppedResult(result, tokensOf));
    return { ids, changes: [] };
  },
};

/** One line for all of them: no card is meant. */
function named(reason: 'quotes' | 'payloads', ids: readonly string[]): NewChanges {
  return ids.length === 0 ? [] : [{ change: 'purged', related: [...ids], reason }];
}

function versionsOf(version: number, { dryRun }: RetentionPass) {
  return dryRun
    ? { version_before: version }
    : { version_before: version - 1, version_after: version };
}
