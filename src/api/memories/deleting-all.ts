import type { FastifyRequest } from 'fastify';
import type { Literal } from '../../domain/memory-filter';
import { readCard } from '../../store/cards';
import { memoriesAmong } from '../../store/memories';
import type { ApiDependencies } from '../app';
import { mayChange, readerOf } from '../card-rights';
import { requireSameRequest } from '../idempotency';
import { afterRaces, deleteOne } from './changing';
import { type Asked, requireNarrow } from './filters';
import { readingAs } from './finding';
import { requireNoApp } from './refusals';

/** In one transaction: as many as a person waits for. */
const AT_ONCE = 50;

/**
 * Deletes all that a list with the same filters would show and that the caller may delete; what is shared with
 * them, or is a team's, stays. One that somebody deletes meanwhile is gone all the same.
 * @throws Problem 400 without a filter
 */
export async function deleteAllMemories(
  deps: ApiDependencies,
  request: FastifyRequest,
  asked: Asked,
): Promise<{ message: string; deleted: number; kept: number }> {
  requireNoApp(asked);
  requireNarrow(asked);
  const groups = await readingAs(deps, request, asked);
  await requireSameRequest(request, deps, 200);
  const ids = await idsOf(deps, request, groups);
  let deleted = 0;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    deleted += await afterRaces(() => deleteOwn(deps, request, some));
  }
  const kept = ids.length - deleted;
  const others = kept === 0 ? '' : ` ${kept} of others stay.`;
  return { message: `Memories deleted successfully!${others}`, deleted, kept };
}

async function idsOf(
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  groups: readonly Literal[][],
): Promise<string[]> {
  const reader = readerOf(caller, deps.clock);
  const found = await deps.database.inWorkspace(reader[0], (tx) =>
    memoriesAmong(tx, reader, groups),
  );
  return [...found].sort();
}

/** @returns how many of them are gone by this */
async function deleteOwn(
  deps: ApiDependencies,
  request: FastifyRequest,
  ids: readonly string[],
): Promise<number> {
  const reader = readerOf(request.caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    let deleted = 0;
    for (const id of ids) {
      const seen = await readCard(tx, reader, id);
      if (seen !== null && !mayChange(request.caller, seen.card)) continue;
      if (seen !== null) await deleteOne(tx, deps, request, id);
      deleted += 1;
    }
    return deleted;
  });
}
