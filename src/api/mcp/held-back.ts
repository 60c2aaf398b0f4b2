import type { HELD_FOR } from '../../store/card-holding';

/** Why nobody finds what was just written, and what would change that. */
export function heldBack(reason: typeof HELD_FOR): string {
  return `it is held back (${reason}): it reads like an instruction to whoever finds it, so only people see it until one of them releases it.`;
}
