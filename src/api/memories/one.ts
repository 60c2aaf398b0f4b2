import type { FastifyRequest } from 'fastify';
import { logAccess } from '../../store/access-log';
import { type CardVersion, readHistory } from '../../store/card-history';
import { readMemories } from '../../store/memories';
import type { ApiDependencies } from '../app';
import { surfaceOf } from '../authentication';
import { maySeePast, pastAbout, readerOf, requireCard } from '../card-rights';
import { notFound, Problem } from '../problem';
import { type Memory, memoryOf } from './shape';

export async function readMemory(
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  id: string,
): Promise<Memory> {
  const reader = readerOf(caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const found = (await readMemories(tx, reader, [id])).get(id);
    if (found === undefined) throw notFound('card');
    await logAccess(tx, caller.context, {
      surface: surfaceOf(caller, 'memories.get'),
      at: reader[5],
      cards: [{ id, vias: found.vias }],
    });
    return memoryOf(found.card, found.changedAt);
  });
}

/** Of a thousand versions nobody reads the last. */
const MOST_VERSIONS = 500;

/** What was added and changed; of another's memory, as of any card, the version of now alone. */
export async function memoryHistory(deps: ApiDependencies, request: FastifyRequest, id: string) {
  const { caller } = request;
  const reader = readerOf(caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const seen = await requireCard(tx, reader, id);
    const only = maySeePast(caller, seen.card) ? null : seen.card.version;
    const page = { after: 0, limit: MOST_VERSIONS + 1, about: pastAbout(caller) };
    const versions = await readHistory(tx, id, only, page);
    if (versions.length > MOST_VERSIONS) {
      throw new Problem(
        413,
        'too_large',
        `more than ${MOST_VERSIONS} versions: page through /v1/cards/${id}/history`,
      );
    }
    await logAccess(tx, caller.context, {
      surface: surfaceOf(caller, 'memories.history'),
      at: reader[5],
      cards: [{ id, vias: seen.vias }],
    });
    const [first] = versions;
    return versions.filter(isTold).map((version) => entryOf(id, version, first?.at ?? version.at));
  });
}

const TOLD: ReadonlySet<string> = new Set(['summary', 'metadata', 'valid_from', 'expires_at']);

/** A use that was counted, or a person's word on it, is no change of what is remembered. */
function isTold({ before, changed }: CardVersion): boolean {
  return before === null || changed.some((field) => TOLD.has(field));
}

function entryOf(id: string, { version, at, before, after }: CardVersion, createdAt: string) {
  return {
    id: `${id}@${version}`,
    memory_id: id,
    input: [],
    old_memory: before?.summary ?? null,
    new_memory: after.summary,
    user_id: after.subject,
    metadata: after.metadata,
    categories: [],
    event: before === null && version === 1 ? 'ADD' : 'UPDATE',
    created_at: createdAt,
    updated_at: at,
  };
}
