import type { ErasureAccepted, ErasureSelector } from '../contracts/erasure';
import { workspaceHasher } from '../intake/hashing';
import { tombstoneHash } from '../intake/tombstone-hash';
import type { ErasureBody } from '../schemas/erasure';
import { readCard } from '../store/cards';
import type { Tx } from '../store/database';
import { type ErasureRoot, isLastOwner, requestErasure } from '../store/erasure-requests';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitRemark } from './card-content';
import { readerOf } from './card-rights';
import { type Asked, writeOnce } from './idempotency';
import { directoryOf } from './listing';
import { badRequest, notAllowed, Problem } from './problem';
import { fitSelector } from './routes/legal-holds';

/**
 * Accepts an erasure: what was named is tombstoned with the answer, and its workflow starts.
 * @throws Problem 400, 403 where a member names what is not about themselves, 409 `last_owner`
 */
export async function askErasure(
  deps: ApiDependencies,
  request: Asked,
  body: ErasureBody,
): Promise<ErasureAccepted> {
  const { caller } = request;
  const { workspace, principal } = caller.context;
  const selector = fitSelector(selectorOf(caller, body.selector), directoryOf(deps, request));
  const reason = await fitRemark(deps, caller, body.reason);
  const hasher = workspaceHasher(deps.secretKey, workspace);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      await requireOwn(tx, deps, caller, selector);
      if (selector.person !== undefined && (await isLastOwner(tx, selector.person))) {
        const detail =
          'nobody would be left who may govern the workspace; make another owner first';
        throw new Problem(409, 'last_owner', detail);
      }
      const accepted = await requestErasure(tx, {
        roots: rootsOf(selector),
        dryRun: body.dry_run,
        legalBasis: body.legal_basis ?? null,
        reason,
        by: principal,
        channel: caller.channel,
        now: deps.clock(),
        hash: (kind, id) => tombstoneHash(hasher, kind, id),
      });
      return { status: 202, reference: { ...accepted }, body: accepted };
    },
    rebuild: async (_tx, reference) => reference,
  });
  deps.pokeOutbox();
  return answer.body as ErasureAccepted;
}

/** A member who names nothing means themselves. */
function selectorOf(caller: Caller, named: ErasureSelector | undefined): ErasureSelector {
  const { memberSubject: subject } = caller;
  if (caller.context.principal.role !== 'member') {
    if (named === undefined) throw badRequest('name what is to be erased', '/selector');
    return named;
  }
  if (subject === null) throw notAllowed('no subject is linked to you: ask an operator');
  return named ?? { subject };
}

/** @throws Problem 403 for a member, of anything but their own subject and cards about it */
async function requireOwn(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  selector: ErasureSelector,
): Promise<void> {
  if (caller.context.principal.role !== 'member') return;
  const { subject, card_ids: cards = [], ...others } = selector;
  const isOwn = subject === undefined || subject === caller.memberSubject;
  if (!isOwn || Object.keys(others).length > 0) throw notTheirs();
  const reader = readerOf(caller, deps.clock);
  for (const id of cards) {
    const seen = await readCard(tx, reader, id);
    if (seen === null || seen.card.subject !== caller.memberSubject) throw notTheirs();
  }
}

function notTheirs(): Problem {
  return notAllowed('a member erases what is about themselves: their subject, or cards about it');
}

function rootsOf({
  event_ids: events = [],
  card_ids: cards = [],
  ...one
}: ErasureSelector): ErasureRoot[] {
  const named = Object.entries(one) as [
    Exclude<ErasureRoot['kind'], 'event' | 'card' | 'conversation'>,
    string,
  ][];
  return [
    ...named.map(([kind, id]) => ({ kind, id })),
    ...events.map((id) => ({ kind: 'event', id }) as const),
    ...cards.map((id) => ({ kind: 'card', id }) as const),
  ];
}
