import type { FastifyRequest } from 'fastify';
import type { RecallRequest } from '../../contracts/recall';
import { type Literal, onlyValueOf, recallFiltersOf, valuesOf } from '../../domain/memory-filter';
import type { MemoryPage, SearchMemories } from '../../schemas/memories';
import { logAccess } from '../../store/access-log';
import { listEntities, listMemories, memoriesAmong, readMemories } from '../../store/memories';
import type { ApiDependencies } from '../app';
import { surfaceOf } from '../authentication';
import { readerOf } from '../card-rights';
import { requireReader } from '../known-agent';
import { NOT_MODIFIED, recall } from '../recall';
import { actAsReader } from './caller';
import { type Asked, groupsAsked } from './filters';
import { notSupported } from './refusals';
import { type Memory, memoryOf, scoreOf } from './shape';

/** As mem0's own server answers without a `top_k`. */
const DEFAULT_FOUND = 10;
/** A list is asked for by its length, not by its tokens. */
const NO_BUDGET = 100_000;

/**
 * Recall in the shape of a search. Filters that a recall knows go into it; others are looked up beside it and
 * keep what it finds. Both judge visibility for themselves.
 */
export async function searchMemories(
  deps: ApiDependencies,
  request: FastifyRequest,
  body: SearchMemories,
) {
  if (body.reference_date != null) {
    throw notSupported('there is no reference_date: name the time in the query itself');
  }
  const groups = await readingAs(deps, request, body);
  const { caller } = request;
  await requireReader(deps, caller);
  const { filters, isAll } = recallFiltersOf(groups);
  const reader = readerOf(caller, deps.clock);
  const among = isAll
    ? undefined
    : await deps.database.inWorkspace(reader[0], (tx) => memoriesAmong(tx, reader, groups));
  const asked: RecallRequest = {
    query: body.query,
    intent: 'look_up',
    limit: body.top_k ?? body.limit ?? DEFAULT_FOUND,
    budget_tokens: NO_BUDGET,
    filters,
  };
  const answer = await recall(deps, caller, asked, among);
  if (answer === NOT_MODIFIED) throw new Error('a recall without a version has an answer');
  const ids = answer.cards.map(({ id }) => id);
  const seen = await deps.database.inWorkspace(reader[0], (tx) => readMemories(tx, reader, ids));
  const found = answer.cards
    .flatMap(({ id, score }) => {
      // What was taken back since the recall is not told either.
      const memory = seen.get(id);
      if (memory === undefined) return [];
      return [{ ...memoryOf(memory.card, memory.changedAt), score: scoreOf(score) }];
    })
    .filter(({ score }) => score >= (body.threshold ?? 0));
  return {
    results: found.map((memory) => withFields(memory, body.fields)),
    recall_id: answer.recall_id,
    ...(answer.degraded === undefined ? {} : { degraded: answer.degraded }),
  };
}

/** The fields asked for, beside those that say which one it is and how well it fits. */
function withFields(memory: Memory, fields: readonly string[] | null | undefined) {
  if (fields == null || fields.length === 0) return memory;
  const kept = new Set(['id', 'memory', 'score', ...fields]);
  return Object.fromEntries(Object.entries(memory).filter(([name]) => kept.has(name)));
}

/** A numbered page, as mem0's clients walk lists; `path` is that of the other pages. */
export async function memoryPage(
  deps: ApiDependencies,
  request: FastifyRequest,
  asked: Asked,
  page: MemoryPage,
) {
  const groups = await readingAs(deps, request, asked);
  const { caller } = request;
  const reader = readerOf(caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const { memories, total } = await listMemories(tx, reader, groups, sliceOf(page));
    await logAccess(tx, caller.context, {
      surface: surfaceOf(caller, 'memories.list'),
      at: reader[5],
      cards: memories.map(({ card, vias }) => ({ id: card.id, vias })),
    });
    const results = memories.map(({ card, changedAt }) => memoryOf(card, changedAt));
    return numbered(request, results, total, page);
  });
}

/** Users, agents and runs of which the caller sees memories. */
export async function entityPage(deps: ApiDependencies, request: FastifyRequest, page: MemoryPage) {
  await actAsReader(deps, request, null);
  const reader = readerOf(request.caller, deps.clock);
  const { entities, total } = await deps.database.inWorkspace(reader[0], (tx) =>
    listEntities(tx, reader, sliceOf(page)),
  );
  const results = entities.map((entity) => ({ id: entity.name, owner: null, ...entity }));
  return numbered(request, results, total, page);
}

/** @returns what is asked for, once it is settled who looks */
export async function readingAs(
  deps: ApiDependencies,
  request: FastifyRequest,
  asked: Asked,
): Promise<Literal[][]> {
  const groups = await groupsAsked(deps, request.caller, asked);
  const { agent, principal } = request.caller.context;
  const agents = valuesOf(groups, 'agent_id');
  if (agent === null && principal.kind === 'runtime' && agents.length > 1) {
    throw notSupported('a runtime looks as one agent at a time: ask once for each agent_id');
  }
  await actAsReader(deps, request, onlyValueOf(groups, 'agent_id'));
  return groups;
}

function sliceOf({ page, page_size }: MemoryPage) {
  return { limit: page_size, offset: (page - 1) * page_size };
}

function numbered<T>(
  { url }: FastifyRequest,
  results: readonly T[],
  count: number,
  { page, page_size }: MemoryPage,
) {
  const at = (other: number): string => {
    const [path = '', query = ''] = url.split('?');
    const params = new URLSearchParams(query);
    params.set('page', String(other));
    params.set('page_size', String(page_size));
    return `${path}?${params}`;
  };
  return {
    count,
    next: page * page_size < count ? at(page + 1) : null,
    previous: page > 1 ? at(page - 1) : null,
    results,
  };
}
