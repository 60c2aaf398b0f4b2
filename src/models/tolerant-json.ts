/** An answer is a few hundred characters; a longer one is prose that nobody has to read to its end. */
const READ_LIMIT = 32_000;
/** Places where an object might begin; more than that is no answer but a program. */
const STARTS_LIMIT = 200;

/**
 * The JSON objects in a model's answer, in order, whatever stands around them: fences, prose, thoughts.
 * An object inside another is not listed. What is cut off, or is not JSON, is left out.
 *
 * @example jsonObjectsIn('Sure:\n```json\n{"a": 1}\n```') // [{ a: 1 }]
 */
export function jsonObjectsIn(answer: string): object[] {
  const text = answer.slice(0, READ_LIMIT);
  const found: object[] = [];
  let from = text.indexOf('{');
  for (let starts = 0; from !== -1 && starts < STARTS_LIMIT; starts += 1) {
    const end = endOfObject(text, from);
    const object = end === null ? null : parsed(text.slice(from, end));
    if (object !== null) found.push(object);
    from = text.indexOf('{', object !== null && end !== null ? end : from + 1);
  }
  return found;
}

/** Just behind the brace that closes the one at `from`; null where nothing does. */
function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
