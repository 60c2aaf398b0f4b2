import type { JsonObject } from '../contracts/event';
import type { RecallFilters } from '../contracts/recall';
import { cleanText } from '../domain/clean-text';
import { redactJson } from '../redaction/json';
import { REDACTION_FAILED } from '../redaction/placeholders';
import type { RedactionOptions } from '../redaction/scanner';
import { fitText } from './card-content';

/**
 * What somebody asks, in the words in which it would stand on a card: it passes what an event passes, so
 * no secret in it goes any further, and an address in it meets the token that intake wrote in its place.
 *
 * @example fitQuery('what did ada@example.org want?', options) // 'what did [EMAIL_k3vq…] want?'
 */
export function fitQuery(text: string, options: RedactionOptions): string {
  return String(redactJson(cleanText(text), options).value);
}

/** Filters by what a writer may have put anything into, as it is kept: topic and metadata. */
export function fitFilters<T extends Pick<RecallFilters, 'topic' | 'metadata'>>(
  filters: T,
  options: RedactionOptions,
): T {
  const { topic, metadata } = filters;
  return {
    ...filters,
    ...(topic === undefined ? {} : { topic: fitText(topic, options) }),
    ...(metadata === undefined ? {} : { metadata: fitMetadata(metadata, options) }),
  };
}

/** One that cannot be scanned finds nothing. */
function fitMetadata(metadata: JsonObject, options: RedactionOptions): JsonObject {
  const { value } = redactJson({ metadata }, options);
  const kept = typeof value === 'object' && value !== null && 'metadata' in value;
  return kept ? (value.metadata as JsonObject) : { [REDACTION_FAILED]: true };
}
