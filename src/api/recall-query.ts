import type { RecallFilters, RecallRequest } from '../contracts/recall';
import { namesAsked, withoutNames } from '../domain/acting';
import type { Embedder } from '../models/embedder';
import type { IndexedVectors } from '../store/recall-many';
import { type RecallSurvey, surveyForRecall } from '../store/recall-survey';
import { INDEXED_FROM } from '../store/vector-index';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { embedQuery, type QueryVector, queryEmbedders } from './query-embedding';

/** A query as the store looks for it: by its vectors, its names, and the way that suits how much is visible. */
export interface RecallQuery {
  embedded: QueryVector | null;
  /** Without the names of those who act in it; null where it names none. */
  bare: QueryVector | null;
  /** By the model that is being replaced, for cards without a vector of the newer one. */
  older: QueryVector | null;
  /** Names in it that act in a card the reader may see. */
  acting: string[];
  index: IndexedVectors | null;
  degraded: string[];
}

/**
 * Everything of a recall that comes before its transaction: one cheap look at what there is, and the
 * query's vectors. They are made at once where they can be.
 * @param request by `askedRecall`: its query goes to whoever embeds it
 */
export async function prepareQuery(
  deps: ApiDependencies,
  reader: ReaderArguments,
  request: RecallRequest,
  isPast: boolean,
): Promise<RecallQuery> {
  const { query } = request;
  const own = deps.embedder();
  const names = namesAsked(query);
  const surveying = deps.database.inWorkspace(
    reader[0],
    (tx) => surveyForRecall(tx, reader, names, own?.id ?? ''),
    'once',
  );
  const byOwn = embedQuery(own, query);
  byOwn.catch(() => {});
  const survey = await surveying;
  const { newer, older, cannot } = queryEmbedders(deps, survey);
  const rest = withoutNames(query, survey.acting);
  const [embedded, bare, byOlder] = await Promise.all([
    newer === own ? byOwn : embedQuery(newer, query),
    rest === null ? null : embedQuery(newer, rest),
    older === null ? null : embedQuery(older, query),
  ]);
  const isLate = embedded === null || (older !== null && byOlder === null);
  const isDegraded = query.trim() !== '' && (isLate || cannot);
  return {
    embedded: worded(embedded),
    bare: worded(bare),
    older: worded(byOlder),
    acting: survey.acting,
    index: indexFor(survey, request, embedded ?? own, isPast || older !== null),
    degraded: isDegraded ? ['dense'] : [],
  };
}

/** A query without a word has the zero vector: it is near nothing, and that takes no arm away. */
function worded(query: QueryVector | null): QueryVector | null {
  return query?.vector.some((value) => value !== 0) ? query : null;
}

/** What narrows to few cards, which a scan of an index over all vectors would miss. */
const NARROW: readonly (keyof RecallFilters)[] = [
  'service',
  'operation',
  'workflow',
  'step',
  'subject',
  'topic',
  'project',
  'session',
  'key',
  'metadata',
];

/**
 * Among many visible cards the best of each arm are found by its index; a narrow filter, the past, and two models
 * at once are compared one by one. A query whose vector is late, or that nobody embeds, does without that arm: to
 * go through everything instead would answer load with more of it.
 */
function indexFor(
  survey: RecallSurvey,
  { filters = {}, project, about }: RecallRequest,
  embedding: QueryVector | Embedder | null,
  isExact: boolean,
): IndexedVectors | null {
  if (survey.visible <= INDEXED_FROM) return null;
  const isNarrow = [project, about, ...NARROW.map((name) => filters[name])].some(
    (value) => value !== undefined,
  );
  if (isExact || isNarrow) return null;
  if (embedding === null) return BY_WORDS_ALONE;
  if (!('vector' in embedding)) return { model: embedding.id, dims: Math.max(1, embedding.dims) };
  return survey.isIndexed ? { model: embedding.model, dims: embedding.vector.length } : null;
}

/** Of a query without a vector none is compared: the names in the statement are any. */
const BY_WORDS_ALONE: IndexedVectors = { model: '', dims: 1 };
