import { useQuery } from '@tanstack/react-query';
import type { Insight } from '../../../../src/contracts/insight';
import type { Policy } from '../../../../src/contracts/policy';
import type { Webhook } from '../../../../src/contracts/webhook';
import { get } from '../../api/http';
import { type Page, useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';

export interface Waiting {
  /** Null while the policy, which says what is urgent, is not read. */
  urgentAbove: number | null;
  urgent: Insight[];
  urgentTotal: number;
  /** Cards in quarantine. */
  held: number;
  writes: number;
  fixes: number;
  lost: number;
}

const ONE = { limit: 1 };

/** What waits besides what the overview counts, as far as the signed-in person may see it. */
export function useWaiting(): Waiting {
  const policy = useOne<Policy>('policy', '/v1/policy', {}, { enabled: useMay('GET /v1/policy') });
  const urgentAbove = policy.data?.insights.urgent_above ?? null;
  const urgent = useOne<Page<Insight>>(
    'insights',
    '/v1/insights',
    { status: 'recommended', min_score: urgentAbove, order: 'score', limit: 3 },
    { enabled: useMay('GET /v1/insights') && urgentAbove !== null },
  );
  const held = useOne<Page<unknown>>(
    'cards',
    '/v1/cards',
    { status: 'quarantined', ...ONE },
    { enabled: useMay('GET /v1/cards') },
  );
  const writes = useOne<Page<unknown>>(
    'pending_writes',
    '/v1/pending-writes',
    { status: 'waiting', ...ONE },
    { enabled: useMay('GET /v1/pending-writes') },
  );
  const fixes = useOne<Page<unknown>>(
    'config_fixes',
    '/v1/config-fixes',
    { status: 'approved', ...ONE },
    { enabled: useMay('GET /v1/config-fixes') },
  );
  const lost = useQuery({
    queryKey: ['webhooks', 'lost'],
    queryFn: ({ signal }) => lostDeliveries(signal),
    enabled: useMay('GET /v1/webhooks', 'GET /v1/webhooks/:id/deliveries'),
  });
  return {
    urgentAbove,
    urgent: urgent.data?.items ?? [],
    urgentTotal: urgent.data?.total ?? 0,
    held: held.data?.total ?? 0,
    writes: writes.data?.total ?? 0,
    fixes: fixes.data?.total ?? 0,
    lost: lost.data ?? 0,
  };
}

/** Of all webhooks; there is no list of these over all of them. */
async function lostDeliveries(signal: AbortSignal): Promise<number> {
  const { items } = await get<Page<Webhook>>('/v1/webhooks', { limit: 50 }, signal);
  const failed = await Promise.all(
    items.map(({ id }) =>
      get<Page<unknown>>(
        `/v1/webhooks/${encodeURIComponent(id)}/deliveries`,
        { state: 'failed', ...ONE },
        signal,
      ),
    ),
  );
  return failed.reduce((sum, { total }) => sum + total, 0);
}
