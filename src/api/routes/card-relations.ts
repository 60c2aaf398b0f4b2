import { z } from 'zod';
import {
  edgeSchema,
  lineageSchema,
  readerSchema,
  versionSchema,
  visibleToSchema,
} from '../../schemas/card-answers';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { logAccess, type SeenCard } from '../../store/access-log';
import { countAbout, readHistory } from '../../store/card-history';
import { readEdges, readLineage } from '../../store/card-relations';
import type { VisibleCard } from '../../store/cards';
import type { Tx } from '../../store/database';
import { listReaders } from '../../store/readers';
import { readVisibleTo } from '../../store/visible-to';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { maySeePast, pastAbout, readerOf, requireCard, requireInspection } from '../card-rights';
import { BY_NUMBER, BY_TIME, pageOf, positionIn } from '../paging';

/** What a card was, what it is linked to, who read it and who could. */
export function cardRelationRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/cards/:id/history',
    {
      schema: {
        summary: 'The versions of a card, the first one first',
        description:
          'Old versions are for people and for the agent whose card it is; others see the current one.',
        tags: ['cards'],
        params: idParams,
        querystring: listQuery({}),
        response: { 200: pageSchema(versionSchema) },
      },
    },
    async (request) => {
      const { caller, params, query } = request;
      const reader = readerOf(caller, deps.clock);
      const after = positionIn(query.cursor, BY_NUMBER)?.[0] ?? 0;
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const seen = await requireCard(tx, reader, params.id);
        const { id, version } = seen.card;
        const only = maySeePast(caller, seen.card) ? null : version;
        const about = pastAbout(caller);
        const page = { after, limit: query.limit + 1, about };
        const versions = await readHistory(tx, id, only, page);
        await logRead(tx, caller, 'cards.history', reader[5], [shown(seen)]);
        const all = about === null ? version : await countAbout(tx, id, about);
        return pageOf(versions, query.limit, (row) => [row.version], only === null ? all : 1);
      });
    },
  );

  app.get(
    '/v1/cards/:id/edges',
    {
      schema: {
        summary: 'What a card is linked to, as far as the caller sees both ends; the newest first',
        tags: ['cards'],
        params: idParams,
        querystring: listQuery({}),
        response: { 200: pageSchema(edgeSchema) },
      },
    },
    async (request) => {
      const { caller, params, query } = request;
      const reader = readerOf(caller, deps.clock);
      const after = positionIn(query.cursor, BY_TIME);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const seen = await requireCard(tx, reader, params.id);
        const all = await readEdges(tx, reader, seen.card.id);
        const from =
          after === null
            ? 0
            : all.findIndex(
                (edge) =>
                  edge.created_at < after[0] ||
                  (edge.created_at === after[0] && edge.id > after[1]),
              );
        const rest = from < 0 ? [] : all.slice(from, from + query.limit + 1);
        const others = rest.slice(0, query.limit).map((edge) => edge.other);
        await logRead(tx, caller, 'cards.edges', reader[5], [shown(seen), ...others]);
        return pageOf(
          rest.map(({ other: _other, ...edge }) => edge),
          query.limit,
          (edge) => [edge.created_at, edge.id],
          all.length,
        );
      });
    },
  );

  app.get(
    '/v1/cards/:id/lineage',
    {
      schema: {
        summary: 'What a card came from and what came from it, through cards that the caller sees',
        tags: ['cards'],
        params: idParams,
        querystring: z.strictObject({}),
        response: { 200: lineageSchema },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const reader = readerOf(caller, deps.clock);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const found = await requireCard(tx, reader, params.id);
        const { seen, ...lineage } = await readLineage(tx, reader, found.card.id);
        await logRead(tx, caller, 'cards.lineage', reader[5], [shown(found), ...seen]);
        return lineage;
      });
    },
  );

  app.get(
    '/v1/cards/:id/readers',
    {
      schema: {
        summary: 'Who read a card, and where it was injected; the latest first',
        tags: ['cards'],
        params: idParams,
        querystring: listQuery({}),
        response: { 200: pageSchema(readerSchema) },
      },
    },
    async (request) => {
      const { caller, params, query } = request;
      const reader = readerOf(caller, deps.clock);
      const after = positionIn(query.cursor, BY_TIME);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const { card } = await requireCard(tx, reader, params.id);
        requireInspection(caller, card);
        const { rows, total } = await listReaders(tx, card.id, { after, limit: query.limit + 1 });
        const page = pageOf(rows, query.limit, (row) => [row.at, row.place], total);
        return { ...page, items: page.items.map(({ place: _place, ...row }) => row) };
      });
    },
  );

  app.get(
    '/v1/cards/:id/visible-to',
    {
      schema: {
        summary: 'Which agents would see a card now, and why: a dry run of the one read path',
        tags: ['cards'],
        params: idParams,
        querystring: z.strictObject({}),
        response: { 200: visibleToSchema },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const reader = readerOf(caller, deps.clock);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const { card } = await requireCard(tx, reader, params.id);
        requireInspection(caller, card);
        return { agents: await readVisibleTo(tx, card.id, reader[5]) };
      });
    },
  );
}

function shown({ card, vias }: VisibleCard): SeenCard {
  return { id: card.id, vias };
}

/** A card that is named twice in an answer was read once. */
async function logRead(
  tx: Tx,
  caller: Caller,
  surface: string,
  at: Date,
  cards: readonly SeenCard[],
): Promise<void> {
  const once = new Map(cards.map((card) => [card.id, card]));
  await logAccess(tx, caller.context, { surface, at, cards: [...once.values()] });
}
