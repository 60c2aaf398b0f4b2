import type { FastifyRequest } from 'fastify';
import type { Page } from '../contracts/run';
import type { Tx } from '../store/database';
import type { ApiDependencies } from './app';
import { BY_NUMBER, pageOf, positionIn } from './paging';

interface LogQuery {
  limit: number;
  cursor?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** The part of a filter that every log has: newest first, from a number on. */
interface LogSlice {
  since: Date | null;
  until: Date | null;
  before: number | null;
  limit: number;
}

export interface Log<Query, Filter, Row> {
  /** @param named gives the pseudonym under which a log keeps an id that can name a person */
  filter(query: Query, named: (id: string | undefined) => string | null): Filter;
  list(tx: Tx, filter: Filter & LogSlice): Promise<Row[]>;
  count(tx: Tx, filter: Filter & LogSlice): Promise<number>;
  numberOf(row: Row): number;
}

/** Answers with a page of a log, newest first. @throws Problem 400 where the cursor is of another list. */
export async function pageOfLog<Query extends LogQuery, Filter, Row>(
  deps: ApiDependencies,
  request: FastifyRequest & { query: Query },
  { filter, list, count, numberOf }: Log<Query, Filter, Row>,
): Promise<Page<Row>> {
  const { query } = request;
  const { workspace } = request.caller.context;
  const named = (id: string | undefined) =>
    id === undefined ? null : deps.pseudonyms.of(workspace, id);
  const wanted = {
    ...filter(query, named),
    since: query.since ?? null,
    until: query.until ?? null,
    before: positionIn(query.cursor, BY_NUMBER)?.[0] ?? null,
    limit: query.limit + 1,
  };
  return await deps.database.inWorkspace(workspace, async (tx) => {
    const rows = await list(tx, wanted);
    return pageOf(rows, query.limit, (row) => [numberOf(row)], await count(tx, wanted));
  });
}
