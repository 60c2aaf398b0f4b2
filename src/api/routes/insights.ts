import { z } from 'zod';
import type { Insight } from '../../contracts/insight';
import type { Page } from '../../contracts/run';
import { lexicalTerms } from '../../domain/terms';
import { labelSchema } from '../../schemas/event';
import {
  insightSchema,
  savedInsightSchema,
  takenAnswerSchema,
} from '../../schemas/insight-answers';
import {
  insightActionParams,
  insightListQuery,
  newInsightSchema,
  takenSchema,
} from '../../schemas/insights';
import { idParams, pageSchema } from '../../schemas/listing';
import { heldWriteSchema } from '../../schemas/pending-write';
import { type InsightFilter, type InsightOrder, listInsights } from '../../store/insights-read';
import type { ApiDependencies, App } from '../app';
import { askedId, askedText } from '../asking';
import type { Caller } from '../authentication';
import { readerOf } from '../card-rights';
import { holdInsight } from '../insight-holding';
import { saveInsightOnce } from '../insight-saving';
import { takeActionOnce } from '../insight-taking';
import { insightsShown, logInsights, shownInsight } from '../insight-view';
import { BY_TIME, pageOf, positionIn } from '../paging';
import { waitsForParent } from '../pending-writing';

type Query = z.output<typeof insightListQuery>;

const BY_SCORE = z.tuple([z.number(), labelSchema]);

/** Findings with a number, an owner and a follow-up. */
export function insightRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/insights',
    {
      schema: {
        summary: 'Insights whose card the caller may see, the newest or the most urgent first',
        description:
          'Each with the actions that it recommends as of now, without what a person has blocked. `origin`, ' +
          '`severity` and `status`, which is that of an action, may be given more than once. `q` keeps insights ' +
          'whose card holds all of its words; `since` and `until` bound when they were saved, `until` itself left ' +
          'out. `order=score` lists the most urgent first.',
        tags: ['insights'],
        querystring: insightListQuery,
        response: { 200: pageSchema(insightSchema) },
      },
    },
    ({ caller, query }) => insightsPage(deps, caller, query),
  );

  app.post(
    '/v1/insights',
    {
      schema: {
        summary: 'Save a finding: it is a card, with a score, a baseline and actions to take',
        description:
          '`origin` says which of four ways it came about. A metric without `value` stands at the latest number ' +
          'that was pushed under its name. `sources` are cards that it was made from. The text is redacted; the ' +
          "scope is the agent's own unless a person names another. Actions that a person has blocked are left " +
          'out, and counted in `removed`; the others are judged by what came of them before, in this scope and ' +
          "the wider ones. A restricted agent's waits for its parent: 202 with `pending_write_id`.",
        tags: ['insights'],
        body: newInsightSchema,
        response: { 201: savedInsightSchema, 202: heldWriteSchema },
      },
    },
    async (request, reply) => {
      if (waitsForParent(request.caller)) {
        return await holdInsight(deps, request, reply, request.body);
      }
      const saved = await saveInsightOnce(deps, request, request.body);
      return reply
        .header('location', `/v1/insights/${encodeURIComponent(saved.id)}`)
        .status(201)
        .send(saved);
    },
  );

  app.get(
    '/v1/insights/:id',
    {
      schema: {
        summary: 'One insight, with what became of its actions',
        tags: ['insights'],
        params: idParams,
        response: { 200: insightSchema },
      },
    },
    ({ caller, params }) =>
      deps.database.inWorkspace(caller.context.workspace, (tx) =>
        shownInsight(tx, deps, caller, params.id),
      ),
  );

  app.post(
    '/v1/insights/:id/actions/:action_id/taken',
    {
      schema: {
        summary: 'Say that an action was taken: it is measured when its window is over',
        description:
          'By the agent whose insight it is, a runtime for it, or an owner, operator or reviewer. `at` is now ' +
          'unless an earlier time is told; `window` is that of the insight unless another is. Told again it is ' +
          'the same; 409 `already_taken` at another time.',
        tags: ['insights'],
        params: insightActionParams,
        body: takenSchema,
        response: { 202: takenAnswerSchema },
      },
    },
    async (request, reply) => {
      const { id: insightId, action_id: actionId } = request.params;
      const taken = await takeActionOnce(deps, request, { insightId, actionId }, request.body);
      return reply.status(202).send(taken);
    },
  );
}

async function insightsPage(
  deps: ApiDependencies,
  caller: Caller,
  query: Query,
): Promise<Page<Insight>> {
  const { limit, order } = query;
  const reader = readerOf(caller, deps.clock);
  const place: InsightOrder =
    order === 'score'
      ? { by: 'score', after: positionIn(query.cursor, BY_SCORE) }
      : { by: 'created', after: positionIn(query.cursor, BY_TIME) };
  const filter = await filterOf(deps, caller, query);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const found = await listInsights(tx, reader, filter, place, limit + 1);
    const { items, ...page } = pageOf(
      found.insights,
      limit,
      (one) => [order === 'score' ? one.urgency.score : one.createdAt, one.id],
      found.total,
    );
    await logInsights(tx, caller, reader, 'insights.list', items);
    return { ...page, items: await insightsShown(tx, reader, items) };
  });
}

async function filterOf(
  deps: ApiDependencies,
  caller: Caller,
  query: Query,
): Promise<InsightFilter> {
  const named = (id: string | undefined, pointer: string) =>
    id === undefined ? null : askedId(deps, caller, id, pointer);
  const words = query.q === undefined ? null : await askedText(deps, caller, query.q);
  return {
    origin: query.origin ?? null,
    severity: query.severity ?? null,
    status: query.status ?? null,
    domain: query.domain ?? null,
    minScore: query.min_score ?? null,
    agent: named(query.agent, '/agent'),
    team: query.team ?? null,
    subject: named(query.subject, '/subject'),
    terms: words === null ? null : [...lexicalTerms(words).keys()],
    since: query.since ?? null,
    until: query.until ?? null,
  };
}
