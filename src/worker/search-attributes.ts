import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';

/** `INDEXED_VALUE_TYPE_KEYWORD` of Temporal's protocol. */
const KEYWORD = 2;

/** Registers what is missing; running it again changes nothing. */
export async function ensureSearchAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTES).filter(
    ({ name }) => !(name in (customAttributes ?? {})),
  );
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(({ name }) => [name, KEYWORD])),
  });
}
