import type { Json } from '../contracts/event';
import { cleanText } from '../domain/clean-text';
import { redactJson } from '../redaction/json';
import type { RedactionOptions } from '../redaction/scanner';

/** How the texts of a workspace are redacted. */
export type MessageRedaction = RedactionOptions;

/** What somebody said, as it may be kept: cleaned and redacted as an event's text is, inside of JSON in it too. */
export function fitMessageText(text: string, redaction: MessageRedaction): string {
  return String(redactJson(cleanText(text) as Json, redaction).value);
}
