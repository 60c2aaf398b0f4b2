import { performance } from 'node:perf_hooks';
import type { Section } from '../contracts/names';
import type { RecallAnswer, RecallRequest } from '../contracts/recall';
import { withGraph } from '../domain/graph-arm';
import { intentOf } from '../domain/intent';
import { mergePolicy } from '../domain/policy';
import { type RankOutput, rankAndPack } from '../domain/recall-pipeline';
import { lexicalTerms } from '../domain/terms';
import { periodAsked, withTime } from '../domain/time-arm';
import { tokensOf } from '../models/token-count';
import { sqlState } from '../store/database';
import { newId } from '../store/ids';
import { type RewordedIndex, readReworded, rewordedIndex } from '../store/recall-past';
import { readForRecall } from '../store/recall-read';
import { recordRecall } from '../store/recall-write';
import { type ReaderArguments, readerArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { askedRecall } from './asking';
import { type Caller, surfaceOf } from './authentication';
import { contextVersionOf } from './context-version';
import { badRequest } from './problem';
import { embedQuery } from './query-embedding';
import { prepareQuery } from './recall-query';

/** The context in the caller's prompt still holds. */
export const NOT_MODIFIED = Symbol('not modified');

/** Postgres's codes for a value that it cannot hold: a year 0, a NUL, half a surrogate pair. */
const CANNOT_HOLD: ReadonlySet<string> = new Set(['22007', '22008', '22021', '22P02', '22P05']);

/**
 * The few cards that fit, packed for a prompt, or that the caller's context still holds.
 * @param among keeps these alone of what is found, for filters that a recall has no word for
 * @throws Problem 400 where a filter or a time is none that can be looked for.
 */
export async function recall(
  deps: ApiDependencies,
  caller: Caller,
  request: RecallRequest,
  among?: ReadonlySet<string>,
): Promise<RecallAnswer | typeof NOT_MODIFIED> {
  try {
    return await answerOf(deps, caller, request, among);
  } catch (error) {
    if (!CANNOT_HOLD.has(sqlState(error) ?? '')) throw error;
    throw badRequest('a filter or a time has a value that no card can have');
  }
}

/** Recall: two data statements, no model call, and the ranking as a pure function between them. */
async function answerOf(
  deps: ApiDependencies,
  caller: Caller,
  given: RecallRequest,
  among: ReadonlySet<string> | undefined,
): Promise<RecallAnswer | typeof NOT_MODIFIED> {
  const started = performance.now();
  const request = await askedRecall(deps, caller, given);
  const now = deps.clock();
  const knownAt = request.known_at === undefined ? now : new Date(request.known_at);
  const asOf = request.as_of === undefined ? now : new Date(request.as_of);
  const intent = request.intent ?? intentOf(request.query);
  const reader = readerArguments(caller.context, caller.memberSubject, now);
  const [asked, reworded] = await Promise.all([
    prepareQuery(deps, reader, request, knownAt < now),
    knownAt < now ? indexOfThen(deps, reader, knownAt) : [],
  ]);
  const degraded = [...asked.degraded];
  const filters = request.filters ?? {};

  return await deps.database.inWorkspace(
    caller.context.workspace,
    async (tx) => {
      const policy = mergePolicy(caller.policyDocument);
      // Off turns the whole system off: nothing is taken in, and nothing is given to an agent.
      const isOff = caller.memoryOff;
      if (isOff) degraded.push('memory_off');
      const profile = request.profile ?? policy.recall.profile;
      const { timezone } = policy.consolidation;
      const period = periodAsked(request.query, knownAt.getTime(), timezone);
      const found = await readForRecall(tx, {
        reader,
        terms: [...lexicalTerms(request.query).keys()],
        vector: asked.embedded?.vector ?? null,
        embedder: asked.embedded?.model ?? '',
        bareVector: asked.bare?.vector ?? null,
        older: asked.older,
        names: asked.acting,
        from: dateOrNull(period?.from),
        until: dateOrNull(period?.until),
        arms: policy.recall.weights.arms,
        index: asked.index,
        asOf,
        knownAt,
        filters,
        project: request.project ?? null,
        about: request.about ?? null,
        perArm: Math.ceil(policy.limits.recall_candidates / 2),
        reworded,
      });
      const ranked = rankAndPack({
        query: request.query,
        intent,
        profile,
        now: knownAt.getTime(),
        asOf: asOf.getTime(),
        policy,
        limit: request.limit ?? policy.recall.limit,
        isLimitAsked: request.limit !== undefined,
        budgetTokens: request.budget_tokens ?? policy.recall.budget_tokens,
        countTokens: tokensOf,
        filters: { ...filters },
        candidates: isOff
          ? []
          : withGraph(
              withTime(found.candidates, request.query, period),
              found.walked,
              policy.recall.weights.arms,
            ).filter((card) => among?.has(card.id) ?? true),
        edges: found.edges,
        others: found.others,
        explain: request.explain ?? false,
      });
      const contextVersion = contextVersionOf(ranked.context, ranked.cards);
      if (request.if_context_version === contextVersion) return NOT_MODIFIED;
      const id = newId('recall', now);
      await recordRecall(tx, {
        id,
        at: now,
        context: caller.context,
        intent,
        profile,
        contextVersion,
        degraded,
        cards: ranked.cards,
        sectionOf: sectionsByCard(ranked),
        surface: surfaceOf(caller, 'recall'),
      });
      return {
        recall_id: id,
        context_version: contextVersion,
        ...(degraded.length === 0 ? {} : { degraded }),
        intent,
        context: ranked.context,
        tokens: ranked.tokens,
        sections: ranked.sections,
        cards: ranked.cards,
        ...(request.explain ? { dropped: ranked.dropped } : {}),
        pools: found.pools,
        took_ms: Math.round((performance.now() - started) * 10) / 10,
      };
    },
    'once',
  );
}

function dateOrNull(time: number | null | undefined): Date | null {
  return time == null ? null : new Date(time);
}

/** Old texts that are embedded for one recall of the past; each takes as long as a query. */
const MOST_EMBEDDED = 32;

/** How the cards that were reworded since were indexed then; embedded again, before any transaction. */
async function indexOfThen(
  deps: ApiDependencies,
  reader: ReaderArguments,
  knownAt: Date,
): Promise<RewordedIndex[]> {
  const cards = await deps.database.inWorkspace(reader[0], (tx) =>
    readReworded(tx, reader, knownAt),
  );
  const vectors = await Promise.all(
    cards.slice(0, MOST_EMBEDDED).map((card) => embedQuery(deps.embedder(), card.text)),
  );
  return cards.map((card, index) => rewordedIndex(card, vectors[index]?.vector ?? null));
}

function sectionsByCard(ranked: RankOutput): Map<string, Section> {
  return new Map(
    ranked.sections.flatMap((section) => section.cards.map((id) => [id, section.name] as const)),
  );
}
