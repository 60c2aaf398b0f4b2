/**
 * What a webhook can be told of; these lists are held by CHECK constraints too. `ping` is sent on demand only,
 * whether or not it is subscribed to.
 */
export const WEBHOOK_EVENTS = [
  'proposal.opened',
  'proposal.reminder',
  'proposal.decided',
  'config_fix.approved',
  'config_fix.closed',
  'insight.urgent',
  'run.failed',
  'erasure.completed',
  'card.quarantined',
  'ping',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why a try came to nothing. A code and no more: what a receiver answers is kept nowhere. */
export const DELIVERY_ERRORS = [
  /** No whole answer in time. */
  'timeout',
  /** The name of the host leads nowhere. */
  'unresolved',
  /** It leads where no webhook may go, or not by this policy. */
  'address_refused',
  /** Not https, and the policy allows private addresses no more. */
  'url_refused',
  /** No connection, or it broke. */
  'unreachable',
  'tls',
  /** What came back is no HTTP. */
  'bad_answer',
  /** Status 3xx: a redirect is not followed. */
  'redirected',
  /** Status 410: it is not tried again. */
  'gone',
  /** Any other status that is no success. */
  'status',
  /** A fault of ours. */
  'internal',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** Where something is told. The secret is never shown again. */
export interface Webhook {
  id: string;
  /** Whole for who governs; else without the secrets and contacts in it. */
  url: string;
  events: WebhookEvent[];
  /** False where deliveries are signed with a secret that Cairn made. */
  has_secret: boolean;
  created_at: string;
  changed_at: string;
}

/** Something that is, was or could not be told to one webhook. */
export interface WebhookDelivery {
  /** Counts the deliveries of its webhook, from 1. */
  n: number;
  /** The same at each try, and in the body. */
  id: string;
  type: WebhookEvent;
  state: DeliveryState;
  /** All tries, those before a retry by hand too. */
  attempts: number;
  last_status: number | null;
  last_error: DeliveryError | null;
  created_at: string;
  delivered_at: string | null;
  /** When it is tried next; null where it is not. */
  next_at: string | null;
}

/** What is sent: ids and codes. */
export interface WebhookBody {
  id: string;
  type: WebhookEvent;
  /** When it happened, RFC 3339. */
  at: string;
  workspace: string;
  data: Readonly<Record<string, string | number>>;
}

export const WEBHOOK_HEADERS = {
  /** As in the body: the same at each try. */
  id: 'Cairn-Webhook-Id',
  /** Seconds since 1970, of this try. */
  timestamp: 'Cairn-Webhook-Timestamp',
  /** `v1=` and HMAC-SHA-256 in hex over the timestamp, a full stop and the body as it came. */
  signature: 'Cairn-Webhook-Signature',
} as const;
