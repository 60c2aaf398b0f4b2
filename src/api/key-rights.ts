import type { ApiKey } from '../contracts/principal';
import type { Tx } from '../store/database';
import { readPerson } from '../store/people';
import type { Caller } from './authentication';
import { notAllowed } from './problem';

/** An operator who could make or take an owner's key would be above the owner. @throws Problem 403 */
export async function requireOwnersEqual(
  tx: Tx,
  caller: Caller,
  principal: ApiKey['principal'],
): Promise<void> {
  if (principal.kind !== 'person' || caller.context.principal.role === 'owner') return;
  const person = await readPerson(tx, principal.id);
  if (person?.role === 'owner') {
    throw notAllowed("an owner's key is made and revoked by an owner only");
  }
}
