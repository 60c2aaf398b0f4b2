import { z } from 'zod';
import type { Page } from '../contracts/run';
import { labelSchema } from '../schemas/event';
import { TOTAL_CAP } from '../store/paging';
import { badRequest } from './problem';

/** The place after which a page starts: the sort key of the last item shown, as its list sorts. */
export type Position = readonly (string | number)[];

/** Of lists sorted by id. */
export const BY_ID = z.tuple([labelSchema]);
/** Of logs, sorted by their number. */
export const BY_NUMBER = z.tuple([z.int().min(0)]);
// A year that Postgres does not have would be an error of the server's instead of the caller's.
const time = z.iso.datetime().refine((text) => !text.startsWith('0000'));
/** Of lists sorted by a time and then by id; the time has milliseconds, as everything recorded here has. */
export const BY_TIME = z.tuple([time, labelSchema]);

/**
 * The position in a cursor, or null without one.
 * @throws Problem 400 where the cursor is not one of this list's.
 */
export function positionIn<T extends Position>(
  cursor: string | undefined,
  schema: z.ZodType<T>,
): T | null {
  if (cursor === undefined) return null;
  const parsed = schema.safeParse(decoded(cursor));
  if (!parsed.success) {
    throw badRequest('cursor: not one of this list; start again without it', '/cursor');
  }
  return parsed.data;
}

/**
 * A page of rows that a keyset query answered. The query asks for `limit + 1` rows, so that the last
 * one only says that there are more.
 *
 * @param total from `countCapped`
 * @example
 * const after = positionIn(request.query.cursor, BY_TIME);
 * const rows = await listThings(tx, { ...filter, after, limit: request.query.limit + 1 });
 * return pageOf(rows, request.query.limit, (row) => [row.created_at, row.id], total);
 */
export function pageOf<T>(
  rows: readonly T[],
  limit: number,
  positionOf: (row: T) => Position,
  total: number,
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next_cursor: rows.length > limit && last !== undefined ? encoded(positionOf(last)) : null,
    total: Math.min(total, TOTAL_CAP),
    ...(total > TOTAL_CAP ? { total_capped: true } : {}),
  };
}

export function encoded(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function decoded(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
