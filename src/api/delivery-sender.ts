import type { Clock } from '../contracts/clock';
import { WEBHOOK_HEADERS, type WebhookBody } from '../contracts/webhook';
import { mergePolicy } from '../domain/policy';
import { afterTry, type TryOutcome } from '../domain/webhook-retry';
import type { Database } from '../store/database';
import { type DeliveryToMake, deliveryToMake, settleTry } from '../store/deliveries';
import {
  type DeliveryItem,
  handBack,
  leaseDeliveries,
  removeDelivery,
} from '../store/outbox-deliveries';
import { readPolicy } from '../store/policies';
import type { Log } from '../telemetry/logger';
import { codeOf } from './error-code';
import { Polling } from './polling';
import { type ResolveHost, resolveHost } from './webhook-address';
import { postWebhook } from './webhook-post';
import { signatureOf, WebhookSeal, type WebhookTarget } from './webhook-seal';

/** In hand at once: each is mostly waiting for somebody else's server. */
const IN_HAND = 16;
/** Of one webhook: four that hang leave twelve places to the others. */
const OF_ONE_WEBHOOK = 4;
/** From the name looked up to the last byte of the answer. */
const DEADLINE_MS = 10_000;
/** Six deadlines: who holds an item longer has died, and it is sent again. */
const LEASE_MS = 60_000;
/** What a poke does not announce, a worker's announcements for instance, is found this late. */
const POLL_MS = 1_000;
/** At the end, for those in hand; what is cut short then is sent again by the next process. */
const STOP_GRACE_MS = 3_000;

export interface DeliverySenderDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  secretKey: string;
  /** Default: the system's resolver. */
  resolve?: ResolveHost;
  deadlineMs?: number;
}

interface Hand {
  item: DeliveryItem;
  /** Ends its request. */
  cut: AbortController;
}

interface Found {
  delivery: DeliveryToMake;
  /** As the policy says now. */
  allowPrivate: boolean;
}

/**
 * The loop in every server that makes the deliveries of webhooks. It has a lane of the outbox to itself,
 * so that a receiver that is slow or dead delays no start, and takes so few of one webhook at a time that
 * it delays no other webhook either.
 *
 * A delivery is claimed by lease, posted, and then its log and the outbox are written in one transaction.
 * A process that dies in between leaves it claimed; when the lease runs out it is sent again, with the
 * same id.
 */
export class DeliverySender {
  private readonly polling = new Polling(POLL_MS, () => this.begin());
  private readonly inHand = new Map<Promise<void>, Hand>();
  private isGivingUp = false;

  constructor(private readonly deps: DeliverySenderDependencies) {}

  start(): void {
    this.polling.start();
  }

  /** Something was just committed: do not wait for the next poll. */
  poke(): void {
    this.polling.poke();
  }

  /** Gives those in hand a moment, and hands back what is not done by then. */
  async stop(): Promise<void> {
    await this.polling.stop();
    const overdue = setTimeout(() => {
      this.isGivingUp = true;
      for (const { cut } of this.inHand.values()) cut.abort();
    }, STOP_GRACE_MS);
    await Promise.allSettled(this.inHand.keys());
    clearTimeout(overdue);
  }

  /** Begins as many as there is room for, and waits for none: the end of one is a poke. */
  private async begin(): Promise<boolean> {
    const { database, clock, log } = this.deps;
    const room = IN_HAND - this.inHand.size;
    if (room <= 0) return false;
    try {
      const items = await database.acrossWorkspaces((tx) =>
        leaseDeliveries(tx, {
          now: clock(),
          leaseMs: LEASE_MS,
          limit: room,
          eachLimit: OF_ONE_WEBHOOK,
          busy: [...this.inHand.values()].map(({ item }) => item),
        }),
      );
      for (const item of items) this.take(item);
    } catch (error) {
      // The sender of starts says so louder, as often as this.
      log.debug({ err: codeOf(error) }, 'the outbox is out of reach; trying again');
    }
    return false;
  }

  private take(item: DeliveryItem): void {
    const hand = { item, cut: new AbortController() };
    const work = this.deliver(hand)
      .catch((error: unknown) => {
        // Its lease runs out, and then it is tried again.
        const { webhook_id: webhook, n } = item;
        this.deps.log.warn({ err: codeOf(error), webhook, n }, 'a delivery is left for later');
      })
      .finally(() => {
        this.inHand.delete(work);
        this.poke();
      });
    this.inHand.set(work, hand);
  }

  private async deliver({ item, cut }: Hand): Promise<void> {
    const { database, clock, log } = this.deps;
    const { workspace_id: workspace, webhook_id: webhook, n } = item;
    const found = await database.inWorkspace(workspace, async (tx) => {
      const delivery = await deliveryToMake(tx, item);
      if (delivery === null) await removeDelivery(tx, item);
      const { document } = await readPolicy(tx);
      const { allow_private: allowPrivate } = mergePolicy(document).webhooks;
      return delivery === null ? null : { delivery, allowPrivate };
    });
    if (found === null) return;
    const deadline = setTimeout(() => cut.abort(), this.deps.deadlineMs ?? DEADLINE_MS);
    const outcome = await this.post(item, found, cut.signal);
    clearTimeout(deadline);
    // Cut short by our own end, and no try of the receiver's.
    if (outcome.error === 'timeout' && this.isGivingUp) {
      await database.inWorkspace(workspace, (tx) => handBack(tx, item));
      return;
    }
    const dice = Math.random();
    const state = await database.inWorkspace(workspace, (tx) =>
      settleTry(tx, item, outcome, (tries) => afterTry(outcome, tries, dice), clock()),
    );
    if (state !== 'failed') return;
    log.warn({ workspace, webhook, n, err: outcome.error }, 'a delivery was given up');
  }

  private async post(item: DeliveryItem, found: Found, signal: AbortSignal): Promise<TryOutcome> {
    const { clock, secretKey, resolve = resolveHost } = this.deps;
    const { delivery, allowPrivate } = found;
    const seal = new WebhookSeal(secretKey, item.workspace_id);
    const target = openOrNull(seal, item.webhook_id, delivery.sealed);
    if (target === null) return { status: null, error: 'internal' };
    const body = bodyOf(item, delivery);
    const timestamp = String(Math.floor(clock().getTime() / 1000));
    const secret = seal.signingSecret(item.webhook_id, target);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Cairn-Webhooks',
      [WEBHOOK_HEADERS.id]: delivery.id,
      [WEBHOOK_HEADERS.timestamp]: timestamp,
      [WEBHOOK_HEADERS.signature]: signatureOf(secret, timestamp, body),
    };
    const rule = { allowPrivate, resolve };
    return await postWebhook({ url: target.url, body, headers, rule, signal });
  }
}

function openOrNull(seal: WebhookSeal, id: string, sealed: Buffer): WebhookTarget | null {
  try {
    return seal.open(id, sealed);
  } catch {
    return null;
  }
}

function bodyOf({ workspace_id }: DeliveryItem, { id, type, at, data }: DeliveryToMake): string {
  const body: WebhookBody = { id, type, at, workspace: workspace_id, data };
  return JSON.stringify(body);
}
