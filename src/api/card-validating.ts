import type { z } from 'zod';
import type { Card } from '../contracts/card';
import type { CardStatus } from '../contracts/names';
import { voiceOfCaller, weightOf } from '../domain/proven-use';
import type { validationSchema } from '../schemas/card';
import { proveByVerdict } from '../store/card-writes-proven';
import type { Tx } from '../store/database';
import type { ApiDependencies } from './app';
import { auditCard, changeOnce, setStatus, shownCard } from './card-changing';
import { fitRemark } from './card-content';
import { changeableCard, retire } from './card-deciding';
import { isOwn } from './card-rights';
import type { Asked } from './idempotency';
import { Problem } from './problem';

const JUDGED: readonly CardStatus[] = ['pending', 'active', 'validated', 'rejected'];

/**
 * Says of a card that it held or was wrong, once per `Idempotency-Key`; the answer to a repetition may be
 * its id alone.
 * @throws Problem 404, 403, 409 where the card is not in use
 */
export async function validateCard(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  { verdict, note }: z.output<typeof validationSchema>,
): Promise<Card | { id: string }> {
  const reason = await fitRemark(deps, request.caller, note);
  return await changeOnce(deps, request, id, async (tx, reader) => {
    const card = await changeableCard(tx, request, reader, id);
    requireJudgeable(card);
    if (verdict === 'wrong') {
      await retire(tx, deps, request, card, 'rejected', reason);
    } else {
      await confirm(tx, deps, request, card, reason);
    }
    return (await shownCard(tx, deps, request, id)) ?? outOfSight(card, 'rejected');
  });
}

/** A word that may validate the card does; any other is a use of it. */
async function confirm(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  card: Card,
  reason: string | null,
): Promise<void> {
  const now = deps.clock();
  const { principal, agent } = request.caller.context;
  const voice = voiceOfCaller(principal.kind);
  if (weightOf(voice, isOwn(request.caller, card)).validates) {
    await setStatus(tx, deps, request, {
      id: card.id,
      expected: card.version,
      columns: { status: 'validated', validated_at: now.toISOString() },
      action: 'validated',
      reason,
    });
    return;
  }
  const isCounted =
    agent !== null && (await proveByVerdict(tx, card.id, agent, { voice, at: now, now }));
  const changed = isCounted ? ['use_count'] : [];
  await auditCard(tx, deps, request, { action: 'used', id: card.id, changed, reason });
}

function requireJudgeable(card: Card): void {
  if (JUDGED.includes(card.status)) return;
  throw new Problem(
    409,
    'not_in_use',
    `a ${card.status} card is not judged; ${
      card.status === 'quarantined' ? 'release it first' : 'judge the one that is in use'
    }`,
  );
}

/** A rejected or quarantined card is out of its own agent's sight: it answers with what it became. */
export function outOfSight(card: Card, status: CardStatus): Card {
  return { ...card, status, version: card.version + 1 };
}
