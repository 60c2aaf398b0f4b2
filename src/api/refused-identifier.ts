import type { IdentifierRefused } from '../intake/pseudonyms';
import { Problem } from './problem';

/** An id that holds what no id may; it is not repeated. */
export function refusedIdentifier({ code }: IdentifierRefused, pointer?: string): Problem {
  const what = code === 'secret_in_identifier' ? 'a secret' : 'an e-mail or a phone number';
  const detail = `this identifier holds ${what}; use an id that stands for it`;
  return new Problem(422, code, detail, pointer === undefined ? {} : { pointer });
}
