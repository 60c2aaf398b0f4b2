import { z } from 'zod';
import { labelSchema, timeSchema } from './event';
import { wholeNumber } from './whole-number';

/** How many items a page holds: enough for a screen, and never an answer of megabytes. */
export const DEFAULT_PAGE = 50;
export const MAX_PAGE = 500;

/**
 * The query of a list: `limit`, `cursor` and the filters given, and nothing else (an unknown parameter
 * is 400).
 *
 * @example querystring: listQuery({ kind: z.enum(CARD_KINDS).optional(), since: sinceSchema })
 */
export function listQuery<Filters extends z.ZodRawShape>(filters: Filters) {
  return z.strictObject({
    limit: wholeNumber(1, MAX_PAGE).default(DEFAULT_PAGE),
    cursor: z.string().max(1000).optional(),
    ...filters,
  });
}

/** What every list answers; `total` is exact to 10,000 and capped there, which `total_capped` says. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    next_cursor: z.string().nullable(),
    total: z.int(),
    total_capped: z.boolean().optional(),
  });
}

/** A bound in time, as an instant. */
export const instantFilter = timeSchema.transform((text) => new Date(text)).optional();

/** An id or a label to be found; its form is no reason to refuse, but no control character passes. */
export const textFilter = labelSchema.optional();

/** `true` or `false` in a query. */
export const flagFilter = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional();

/** The `:id` of a path; ids with a slash come encoded. */
export const idParams = z.object({ id: labelSchema });
