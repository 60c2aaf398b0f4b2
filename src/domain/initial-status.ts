import type { CardStatus, PrincipalKind } from '../contracts/names';

/** Design §7: what an agent reports itself waits to be confirmed; a runtime's and a person's word is believed. */
export function initialStatus(writer: PrincipalKind): CardStatus {
  return writer === 'agent' ? 'pending' : 'active';
}
