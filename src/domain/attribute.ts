import { SAID_ON } from './said-on';
import { lexicalTerms } from './terms';

/** What a short fact says of its subject: `billing address` is `12 Elm Street`. */
export interface Attribute {
  name: string;
  value: string;
}

const STATEMENT =
  /^(?<left>[^.:=]{3,80}?)(?:\s+(?:is|are)(?: now)?\s+|\s*[:=]\s+)(?<value>.{1,200})$/iu;
const POSSESSIVE = /['’]s\b|\bof\b|\b(?:the|their|his|her|its|our)\s/iu;

/**
 * The attribute a one-sentence fact states, or null. Only a phrase that names an attribute counts
 * ("Anna's billing address is …", "Preferred airline: …"), never a mere name ("Anna is …"), since a
 * person is many things at once and has one billing address.
 */
export function attributeOf(summary: string, subject: string | null): Attribute | null {
  const sentence = summary
    .trim()
    .replace(/(?<![.!])[.!]+$/u, '')
    .replace(SAID_ON, '');
  if (/[.!?]\s/u.test(sentence)) return null;
  const match = STATEMENT.exec(sentence);
  const left = match?.groups?.left?.trim() ?? '';
  const value = match?.groups?.value?.trim() ?? '';
  if (left === '' || value === '') return null;
  const isName = left.split(/\s+/).every((word) => /^\p{Lu}/u.test(word));
  if (isName && !POSSESSIVE.test(left)) return null;
  const ofSubject = lexicalTerms(subject ?? '');
  const names = [...lexicalTerms(left).keys()].filter((term) => !ofSubject.has(term)).sort();
  const needed = POSSESSIVE.test(left) ? 1 : 2;
  return names.length < needed ? null : { name: names.join(' '), value: comparable(value) };
}

/** Values are the same when they hold the same terms, however they are written. */
function comparable(value: string): string {
  const terms = [...lexicalTerms(value).keys()].sort().join(' ');
  return terms === '' ? value.toLowerCase() : terms;
}
