import type { Json } from '../contracts/event';
import { cleanJson } from '../domain/clean-text';
import { redactJson } from '../redaction/json';
import type { RedactionOptions } from '../redaction/scanner';

/** A value of a blackboard, clean and redacted. Its key says how it is to be read, as a member's name does. */
export function fitBoardValue(key: string, value: Json, options: RedactionOptions): Json {
  const redacted = redactJson({ [key]: cleanJson(value) }, options).value;
  // A scan that failed as a whole answers with a mark instead of an object.
  if (typeof redacted !== 'object' || redacted === null) return redacted;
  return Object.values(redacted)[0] ?? null;
}
