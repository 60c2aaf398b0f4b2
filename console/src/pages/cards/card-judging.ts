/** What can be decided about a card at once; each by the route that bears its name. */

import type { Card } from '../../../../src/contracts/card';
import { RECALLED_STATUSES } from '../../../../src/contracts/names';
import { send } from '../../api/http';
import { type Page, useOne } from '../../api/paging';
import { useMay, useSession } from '../../app/session-context';
import { useDoing } from '../../components/doing';
import { type CardVersion, pathOf } from './wire';

export interface Judgement {
  path: string;
  body: Record<string, unknown>;
  done: string;
}

export function useJudging(card: Card) {
  return useDoing<Judgement>({
    call: ({ path, body }) => send(pathOf(card.id, path), { method: 'POST', body }),
    done: (_output, { done }) => done,
    touches: ['cards', 'proposals'],
  });
}

/** What the viewer's role and the state of the card allow; the server has the last word. */
export function useAllowed(card: Card) {
  const { role } = useSession().principal;
  const isMember = role === 'member';
  const { status, scope } = card;
  const isInUse = RECALLED_STATUSES.some((one) => one === status);
  const isJudged = isInUse || status === 'rejected';
  const isCurrent = status !== 'superseded' && status !== 'archived';
  const mayValidate = useMay('POST /v1/cards/:id/validation') && isJudged;
  const mayDemote = useMay('POST /v1/cards/:id/demotion') && scope.type !== 'agent';
  const isPromoted = useIsPromoted(card, mayDemote);
  return {
    correct: useMay('PATCH /v1/cards/:id') && isCurrent,
    validate: mayValidate && status !== 'validated',
    reject: mayValidate && status !== 'rejected',
    share: useMay('PUT /v1/cards/:id/grants/:agent'),
    visibility: useMay('PATCH /v1/cards/:id') && isCurrent && !isMember,
    promote: useMay('POST /v1/cards/:id/promotion') && isInUse && scope.type !== 'workspace',
    demote: mayDemote && isPromoted,
    quarantine: useMay('POST /v1/cards/:id/quarantine') && status !== 'quarantined',
    release: useMay('POST /v1/cards/:id/release') && status === 'quarantined',
    restore: useMay('POST /v1/cards/:id/restore') && status === 'archived',
    remove: useMay('DELETE /v1/cards/:id'),
    stop: useMay('POST /v1/cards/:id/stop'),
    erase: useMay('POST /v1/erasures') && !isMember,
    graph: useMay('GET /v1/graph'),
    recall: useMay('POST /v1/recall'),
    /** Who read it, who sees it and its story are for people who govern. */
    inspect: !isMember,
  };
}

/** Only its versions say whether it came to its scope by a promotion that can be taken back. */
function useIsPromoted(card: Card, asks: boolean): boolean {
  const { data } = useOne<Page<CardVersion>>(
    'cards',
    pathOf(card.id, '/history'),
    { limit: 500 },
    { enabled: asks },
  );
  const moves = data?.items.filter(({ action }) => action === 'promoted' || action === 'demoted');
  return moves?.at(-1)?.action === 'promoted';
}
