import type { FastifyRequest } from 'fastify';
import type { DecisionRefusal, PromotionChange } from '../contracts/proposal';
import { cardInTheWay } from '../store/card-writes-promoted';
import type { Tx } from '../store/database';
import { type KeptProposal, readProposal } from '../store/proposals-read';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { keyHolderOf } from './key-holder';
import { notFound, Problem } from './problem';
import { evidenceReaderOf, proposalReaderOf } from './proposal-view';

/** What a decision that changed nothing is answered with. */

const REFUSALS: Readonly<Record<DecisionRefusal, { status: number; detail: string }>> = {
  malformed: { status: 400, detail: 'this is no decision' },
  already_decided: { status: 409, detail: 'it was decided before; read it to see by whom' },
  stale_version: {
    status: 409,
    detail: 'it has another version than the one that you decided on; read it again',
  },
  expired: { status: 410, detail: 'its time is over; nothing was changed' },
  not_allowed: {
    status: 403,
    detail: 'an owner or a reviewer decides, and never who proposed it or whom they acted for',
  },
  direct_decisions_off: { status: 403, detail: 'the policy wants decisions through the API' },
  world_changed: {
    status: 409,
    detail:
      'what it would change is no longer as it was proposed; read it again: it has a new version, or it lapsed',
  },
  key_taken: {
    status: 409,
    detail:
      'stands under this key in that scope; delete or change that one first, and decide again',
  },
};

/** With how the proposal stands now, so that nobody has to guess what to look at. */
export async function refused(
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  id: string,
  refusal: DecisionRefusal,
): Promise<Problem> {
  return await deps.database.inWorkspace(caller.context.workspace, async (tx) => {
    const now = await readProposal(tx, proposalReaderOf(caller), id);
    if (now === null) return notFound('proposal');
    const { status, detail } = REFUSALS[refusal];
    const said = refusal === 'key_taken' ? await keyTaken(tx, deps, caller, now) : detail;
    return new Problem(status, refusal, said, {
      proposal: { id, status: now.status, version: now.version },
    });
  });
}

async function keyTaken(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  { change }: KeptProposal,
): Promise<string> {
  const { card_id, to } = change as PromotionChange;
  const holder = await cardInTheWay(tx, card_id, to);
  const named = await keyHolderOf(tx, evidenceReaderOf(deps, caller), holder);
  return `${named} ${REFUSALS.key_taken.detail}`;
}
