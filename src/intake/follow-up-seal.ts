import type { FollowUpRequest, InsightInput } from '../contracts/insight';
import type { FollowUpOrder } from '../contracts/insight-messages';
import { workspaceHasher } from './hashing';

/**
 * What tells an order that came through the API, where a key said who asks, from one that somebody wrote straight to
 * Temporal. It is of this one order alone: whoever copies it from a history asks once more for what was asked.
 */
export function followUpSeal(
  secretKey: string,
  { workspace, insight_id }: Pick<InsightInput, 'workspace' | 'insight_id'>,
  order: FollowUpOrder,
  { action_id, by, until, reason_id }: Omit<FollowUpRequest, 'seal'>,
): string {
  const parts = [insight_id, order, action_id, by.kind, by.id, until ?? null, reason_id ?? null];
  return workspaceHasher(secretKey, workspace).shortId('follow-up seal', JSON.stringify(parts));
}
