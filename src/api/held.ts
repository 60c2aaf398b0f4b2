import type { HeldType } from '../contracts/legal-hold';
import type { Tx } from '../store/database';
import { heldBy } from '../store/legal-holds';
import type { Caller } from './authentication';
import { Problem } from './problem';

/** Who is told which holds there are. */
const TOLD: readonly (string | null)[] = ['owner', 'operator', 'auditor'];

/** A legal hold keeps what was to be removed; nothing was changed. */
export function heldProblem(holds: readonly string[] = []): Problem {
  const named = holds.length === 0 ? '' : ` (${holds.join(', ')})`;
  return new Problem(
    409,
    'held',
    `a legal hold${named} keeps this; it stays until an owner or operator lifts the hold`,
    holds.length === 0 ? {} : { holds },
  );
}

/** @throws Problem 409 `held` where a legal hold keeps one of these; who may see holds is told which. */
export async function requireNotHeld(
  tx: Tx,
  caller: Caller,
  type: HeldType,
  ids: readonly string[],
): Promise<void> {
  const held = await heldBy(tx, type, ids);
  if (held.size === 0) return;
  const isTold = TOLD.includes(caller.context.principal.role);
  throw heldProblem(isTold ? [...new Set([...held.values()].flat())].sort() : []);
}
