import type { CardScope } from '../contracts/card';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { badRequest } from './problem';

/**
 * The scope that a query names; null where it names none.
 * @throws Problem 400 where half a scope is named.
 */
export function scopeInQuery(
  deps: Pick<ApiDependencies, 'pseudonyms'>,
  caller: Caller,
  query: { scope_type?: CardScope['type'] | undefined; scope_id?: string | undefined },
): CardScope | null {
  const { workspace } = caller.context;
  const { scope_type: type, scope_id: id } = query;
  if (type === undefined && id === undefined) return null;
  if (type === 'workspace') return { type, id: workspace };
  if (type === undefined || id === undefined) {
    throw badRequest('scope_type and scope_id name a scope together');
  }
  return { type, id: type === 'agent' ? deps.pseudonyms.of(workspace, id) : id };
}
