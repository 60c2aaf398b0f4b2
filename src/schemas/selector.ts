import { z } from 'zod';
import { labelSchema } from './event';

/** One request names so many events or cards at the most; more are another one. */
const MOST_NAMED = 1_000;

const named = z.array(labelSchema).min(1).max(MOST_NAMED);

/**
 * Whom and what an erasure or a legal hold is about: what each field names, together.
 * @param nothing what is wrong where it names nothing
 */
export function selectorSchema(nothing: string) {
  return z
    .strictObject({
      subject: labelSchema.exactOptional(),
      person: labelSchema.exactOptional(),
      agent: labelSchema.exactOptional(),
      source: labelSchema.exactOptional(),
      project: labelSchema.exactOptional(),
      event_ids: named.exactOptional(),
      card_ids: named.exactOptional(),
    })
    .refine((selector) => Object.keys(selector).length > 0, nothing);
}
