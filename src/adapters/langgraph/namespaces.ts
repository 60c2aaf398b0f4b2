import type { ListNamespacesOperation, MatchCondition } from '@langchain/langgraph-checkpoint';

type Asked = Omit<ListNamespacesOperation, 'limit' | 'offset'> & {
  limit?: number | undefined;
  offset?: number | undefined;
};

/** Of the namespaces that hold something those that match, cut to `maxDepth`, each once and sorted. */
export function matchingNamespaces(held: Iterable<string[]>, asked: Asked): string[][] {
  const { matchConditions = [], maxDepth, limit, offset = 0 } = asked;
  const found = new Map<string, string[]>();
  for (const namespace of held) {
    if (!matchConditions.every((condition) => matches(condition, namespace))) continue;
    const cut = namespace.slice(0, maxDepth);
    found.set(nameOf(cut), cut);
  }
  const sorted = [...found].sort(([one], [other]) => one.localeCompare(other));
  const end = limit === undefined ? undefined : offset + limit;
  return sorted.slice(offset, end).map(([, namespace]) => namespace);
}

/** No label has a colon. */
function nameOf(namespace: readonly string[]): string {
  return namespace.join(':');
}

/** The labels that every match begins with; from the first `*` on there are none. */
export function commonPrefix(conditions: readonly MatchCondition[] = []): string[] {
  const prefix = conditions.find(({ matchType }) => matchType === 'prefix')?.path ?? [];
  const star = prefix.indexOf('*');
  return star < 0 ? [...prefix] : prefix.slice(0, star);
}

function matches({ matchType, path }: MatchCondition, namespace: readonly string[]): boolean {
  if (matchType !== 'prefix' && matchType !== 'suffix') {
    throw new TypeError(`namespaces match by prefix or suffix, not by ${String(matchType)}`);
  }
  const from = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return (
    path.length <= namespace.length &&
    path.every((label, place) => label === '*' || label === namespace[from + place])
  );
}
