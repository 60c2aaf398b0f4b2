import { CATALOGUE, type Named } from '../catalogue';

/** Which operations a piece of text speaks of: by name, or by service and thing (`a newsletter on mailer`). */
export function mentioned(text: string): Set<string> {
  return new Set(MATCHERS.filter(({ test }) => test(text)).map(({ operation }) => operation));
}

/** A name in full, written with underscores, spaces or hyphens. */
const NAMES = CATALOGUE.map(({ operation }) => ({
  operation,
  pattern: new RegExp(`(?<![\\w])${operation.replace(/_/g, '[_ -]')}(?![\\w])`, 'i'),
}));

const MATCHERS = CATALOGUE.map((named) => ({
  operation: named.operation,
  test: matcherOf(named),
}));

function matcherOf(named: Named): (text: string) => boolean {
  const service = new RegExp(`(?<![\\w-])${named.service}(?![\\w-])`, 'i');
  const noun = new RegExp(`(?<![\\w-])${named.noun}s?(?![\\w-])`, 'i');
  return (text) => {
    const inFull = NAMES.filter(({ pattern }) => pattern.test(text));
    // Where an operation is named in full, a noun in passing names no other one.
    if (inFull.length > 0) return inFull.some(({ operation }) => operation === named.operation);
    return service.test(text) && noun.test(text);
  };
}
