import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../contracts/clock';
import type { Database } from '../store/database';
import { leaseOutbox, type OutboxItem, postpone, removeSent } from '../store/outbox';
import type { Log } from '../telemetry/logger';
import { codeOf } from './error-code';
import { Polling } from './polling';

/** Items taken at once: a batch of events is 500, and 200 starts take a few seconds. */
const BATCH = 200;
/** Starts in flight: more does not raise the throughput of a server on two cores, only its latency. */
const CONCURRENCY = 24;
/** Ten times the slowest batch that was seen; a sender that died costs at most this delay. */
const LEASE_MS = 30_000;
/** What a poke does not announce, another process's items for instance, is found this late. */
const POLL_MS = 1_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

export interface OutboxSenderDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  /** Does what the item says; doing it again must change nothing. */
  send(item: OutboxItem): Promise<void>;
}

/**
 * The loop in every server that starts what was committed. It claims by lease and needs no Temporal to
 * run: while Temporal is away, items wait and are tried again. Webhooks have a sender of their own.
 */
export class OutboxSender {
  private readonly polling = new Polling(POLL_MS, () => this.sendDue());

  constructor(private readonly deps: OutboxSenderDependencies) {}

  start(): void {
    this.polling.start();
  }

  /** Something was just committed: do not wait for the next poll. */
  poke(): void {
    this.polling.poke();
  }

  /** Finishes the starts in hand and hands the others back, for the next sender to take at once. */
  async stop(): Promise<void> {
    await this.polling.stop();
  }

  /** @returns whether there may be more. */
  private async sendDue(): Promise<boolean> {
    const { database, clock, log } = this.deps;
    try {
      const items = await database.acrossWorkspaces((tx) =>
        leaseOutbox(tx, clock(), LEASE_MS, BATCH),
      );
      if (items.length === 0) return false;
      const outcome = await this.sendAll(items);
      await database.acrossWorkspaces(async (tx) => {
        await removeSent(tx, outcome.sent);
        await postpone(tx, outcome.left, clock(), 'sender_stopped');
        for (const [delay, ids] of outcome.failed) {
          await postpone(tx, ids, new Date(clock().getTime() + delay), 'send_failed');
        }
      });
      return items.length === BATCH && outcome.sent.length > 0;
    } catch (error) {
      log.warn({ err: codeOf(error) }, 'the outbox is out of reach; trying again');
      await sleep(POLL_MS, undefined, { signal: this.polling.stopped }).catch(() => {});
      return false;
    }
  }

  private async sendAll(
    items: readonly OutboxItem[],
  ): Promise<{ sent: number[]; failed: Map<number, number[]>; left: number[] }> {
    const sent: number[] = [];
    const failed = new Map<number, number[]>();
    const queue = [...items];
    const next = () => (this.polling.stopped.aborted ? undefined : queue.shift());
    const worker = async (): Promise<void> => {
      for (let item = next(); item !== undefined; item = next()) {
        try {
          await this.deps.send(item);
          sent.push(item.id);
        } catch (error) {
          this.deps.log.warn(
            { err: codeOf(error), workflow_id: item.workflow_id, attempts: item.attempts },
            'a start was not sent; it will be tried again',
          );
          const delay = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (item.attempts - 1));
          failed.set(delay, [...(failed.get(delay) ?? []), item.id]);
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return { sent, failed, left: queue.map((item) => item.id) };
  }
}
