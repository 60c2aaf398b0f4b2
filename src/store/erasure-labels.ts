import { labelsOf } from './card-writes-erased-labels';
import type { Tx } from './database';
import { addItems } from './erasure-items';
import { noteTerms } from './erasure-terms';

/**
 * Keeps in which sessions and tasks these rows were, before they go: what several may share goes with the last of them,
 * and is looked for then.
 */
export async function noteLabels(
  tx: Tx,
  erasureId: string,
  kind: 'event' | 'card',
  ids: readonly string[],
): Promise<void> {
  const found = await labelsOf(tx, kind, ids);
  await addItems(
    tx,
    erasureId,
    found.map((label) => ({ ...label, state: 'root' })),
  );
  await noteTerms(tx, erasureId, { ids: found.map(({ id }) => id) });
}
