import type { PersonRole } from '../contracts/names';
import type { Policy } from '../contracts/policy';
import { DECIDABLE_STATUSES, DECISIONS, type DecisionRefusal } from '../contracts/proposal';
import type { DecideRequest } from '../contracts/proposal-messages';
import { durationMs } from './durations';

/** Who decides (contract, Principals). */
export const DECIDING_ROLES = ['owner', 'reviewer'] as const satisfies PersonRole[];

/** How long a fix is waited for and watched before it lapses (design §6). */
export const FIX_LAPSES_AFTER = 'P90D';
/** Successes after a fix that prove it (contract, Deciding). */
export const PROOFS = 3;

export interface Deadline {
  expiresAt: Date;
  reminders: Date[];
}

/**
 * When a proposal expires, and when it reminds of itself before that.
 *
 * @param openedAt of the version that waits
 * @param ttl ISO 8601; null takes the policy's
 */
export function deadlineOf(
  openedAt: Date,
  policy: Pick<Policy, 'proposals'>,
  ttl: string | null = null,
): Deadline {
  const expiresAt = new Date(openedAt.getTime() + durationMs(ttl ?? policy.proposals.ttl));
  return { expiresAt, reminders: remindersOf(openedAt, expiresAt, policy) };
}

/** One at or past the expiry is not sent; two of the same time are one. In order. */
export function remindersOf(
  openedAt: Date,
  expiresAt: Date,
  policy: Pick<Policy, 'proposals'>,
): Date[] {
  const times = policy.proposals.reminders
    .map((after) => openedAt.getTime() + durationMs(after))
    .filter((at) => at > openedAt.getTime() && at < expiresAt.getTime());
  return [...new Set(times)].sort((a, b) => a - b).map((at) => new Date(at));
}

/** As much of a proposal as says whether it may be decided. */
export interface Decidable {
  status: string;
  version: number;
}

/**
 * Why this decision changes nothing, as far as the proposal itself says; null where it may be taken. The
 * person's right and the world are looked at where it is applied.
 */
export function refusalOf(
  proposal: Decidable,
  request: Partial<DecideRequest> | null | undefined,
): DecisionRefusal | null {
  if (!isWellFormed(request)) return 'malformed';
  if (proposal.status === 'expired') return 'expired';
  if (!DECIDABLE_STATUSES.some((status) => status === proposal.status)) return 'already_decided';
  return request.version === proposal.version ? null : 'stale_version';
}

/** As every id of the contract: what could stand in no row is no person. */
const PERSON_ID = /^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,199}$/;
/** What an integer of Postgres holds. */
const MOST_VERSIONS = 2 ** 31 - 1;

/** Whoever writes to the workflow by hand may write anything. */
export function isWellFormed(
  request: Partial<DecideRequest> | null | undefined,
): request is DecideRequest {
  if (typeof request !== 'object' || request === null) return false;
  const { decision, by, version, reason_code, intent_id } = request;
  return (
    DECISIONS.some((one) => one === decision) &&
    isPrincipalId(by) &&
    Number.isInteger(version) &&
    (version as number) >= 1 &&
    (version as number) <= MOST_VERSIONS &&
    isCode(reason_code) &&
    isShort(intent_id)
  );
}

/**
 * The fields of a decision and nothing else of what came; null where it is none. What somebody sends beside
 * them, a document for instance, goes no further.
 */
export function decisionIn(request: unknown): DecideRequest | null {
  if (!isWellFormed(request as Partial<DecideRequest> | null | undefined)) return null;
  const { decision, by, version, reason_code, intent_id } = request as DecideRequest;
  return {
    decision,
    by,
    version,
    ...(reason_code === undefined ? {} : { reason_code }),
    ...(intent_id === undefined ? {} : { intent_id }),
  };
}

/** Whether it may stand in a row as somebody's id, and in a history. */
export function isPrincipalId(id: unknown): id is string {
  return typeof id === 'string' && PERSON_ID.test(id) && !looksPrivate(id);
}

/**
 * Whether an id reads like an e-mail, a telephone number or a key. Nobody's id does: the first two are
 * pseudonyms in this workspace, the third is refused. In a history it would stand in clear.
 */
function looksPrivate(id: string): boolean {
  const isAddress = /@[^@]+\.[A-Za-z]{2,}$/.test(id);
  const isTelephone = /^[\d._:/-]+$/.test(id) && id.replace(/\D/g, '').length >= 7;
  const isKey =
    /^(?:sk|pk|gh[a-z]|xox[a-z]|glpat|AKIA|ASIA|eyJ)[A-Za-z0-9_-]*[0-9]/.test(id) &&
    id.length >= 16;
  return isAddress || isTelephone || isKey;
}

/** Of the reasons that a team agrees on: lower case, no free text. */
function isCode(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^[a-z][a-z0-9_]{0,39}$/.test(value));
}

/** An id; a sentence would be content in Temporal's history. */
function isShort(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && /^[\w.:-]{1,60}$/.test(value));
}
