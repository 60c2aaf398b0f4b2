/** Search parameters of a page: text, so that a deep link reads as one would write it. */
export type Search<Name extends string> = { [key in Name]?: string | undefined };

/**
 * What a page keeps in its address: the named parameters, each a text; others are left out.
 *
 * ```ts
 * createRoute({ …, validateSearch: searchOf('q', 'kind') })
 * ```
 */
export function searchOf<Name extends string>(...names: Name[]) {
  return (raw: Record<string, unknown>): Search<Name> => {
    const kept: Search<Name> = {};
    for (const name of names) {
      const value = raw[name];
      if (value !== undefined && value !== null && value !== '') kept[name] = String(value);
    }
    return kept;
  };
}

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}
