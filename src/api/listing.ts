import type { FastifyRequest } from 'fastify';
import type { Page } from '../contracts/run';
import { Directory } from '../intake/directory';
import { IdentifierRefused } from '../intake/pseudonyms';
import { idSchema } from '../schemas/event';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import type { Put } from '../store/directory-change';
import type { Slice, SliceRequest } from '../store/paging';
import type { ApiDependencies } from './app';
import { writeOnce } from './idempotency';
import { BY_ID, pageOf, positionIn } from './paging';
import { badRequest, notFound } from './problem';
import { refusedIdentifier } from './refused-identifier';

/** What the directory's routes share: a page sorted by id, one by its id, a PUT that is audited. */

/** Answers with a page of a list that is sorted by id. */
export async function pageById<T extends { id: string }>(
  request: FastifyRequest<{ Querystring: { limit: number; cursor?: string | undefined } }>,
  list: (page: SliceRequest) => Promise<Slice<T>>,
): Promise<Page<T>> {
  const { limit, cursor } = request.query;
  const after = positionIn(cursor, BY_ID)?.[0] ?? null;
  const { rows, total } = await list({ after, limit });
  return pageOf(rows, limit, (row) => [row.id], total);
}

/** @throws Problem 404 where there is none. */
export async function oneOf<T>(
  deps: ApiDependencies,
  request: FastifyRequest,
  what: string,
  read: (tx: Tx) => Promise<T | null>,
): Promise<T> {
  const found = await deps.database.inWorkspace(request.caller.context.workspace, read);
  if (found === null) throw notFound(what);
  return found;
}

export interface PutRequest<T> {
  /** Of the audit: `team` gives `team.created` and `team.changed`. */
  type: string;
  id: string;
  put(tx: Tx, now: Date): Promise<Put<T>>;
  read(tx: Tx): Promise<T | null>;
}

/** 201 when it was made, 200 when it was changed or stayed as it was, which alone is not audited. */
export async function putOnce<T>(
  deps: ApiDependencies,
  request: FastifyRequest,
  { type, id, put, read }: PutRequest<T>,
): Promise<{ status: 200 | 201; body: T }> {
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const now = deps.clock();
      const { resource, created, changed } = await put(tx, now);
      if (created || changed.length > 0) {
        await writeAudit(tx, {
          at: now,
          actor: request.caller.context.principal,
          action: `${type}.${created ? 'created' : 'changed'}`,
          target: { type, id },
          changed,
          channel: 'api',
        });
      }
      return { status: created ? 201 : 200, reference: { id }, body: resource };
    },
    rebuild: async (tx) => {
      const found = await read(tx);
      // Erased since: its id is all that is left, and that is no answer.
      if (found === null) throw notFound(type.replace('_', ' '));
      return found;
    },
  });
  return answer as { status: 200 | 201; body: T };
}

/** The directory's text of the caller's workspace. */
export function directoryOf(
  deps: ApiDependencies,
  request: Pick<FastifyRequest, 'caller'>,
): Directory {
  return new Directory(deps.secretKey, request.caller.context.workspace);
}

/** `:id` of a PUT: what GET may look for leniently must here be fit to be kept. */
export function checkedId(value: string, check: (id: string) => string): string {
  const parsed = idSchema.safeParse(value);
  if (!parsed.success) {
    throw badRequest(`id: ${parsed.error.issues[0]?.message ?? 'is not an id'}`, '/id');
  }
  return kept(() => check(parsed.data), '/id');
}

/** Runs a check of an identifier and says as a problem what it refuses. */
export function kept<T>(check: () => T, pointer: string): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof IdentifierRefused)) throw error;
    throw refusedIdentifier(error, pointer);
  }
}

/** The same for a field that may be left out or emptied. */
export function keptField(
  value: string | null | undefined,
  check: (value: string) => string,
  pointer: string,
): string | null | undefined {
  return typeof value === 'string' ? kept(() => check(value), pointer) : value;
}
