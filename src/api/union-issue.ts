/** As much of an issue of zod's as says what is wrong where. */
export interface Issue {
  /** `/`-separated, from the root; empty for the root. */
  path: string;
  message: string | undefined;
  /** Of what is not known; null for another issue. */
  keys: readonly string[] | null;
}

interface RawIssue {
  code: string;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[];
  errors?: readonly (readonly RawIssue[])[];
}

/** What zod says of a union that has no words of its own. */
const WORDLESS = 'Invalid input';

/**
 * Where nothing of a union fits, what is wrong with the member that was meant: the one of which the least is amiss on
 * its upper level. One that says itself what it wants keeps its words.
 */
export function meantIssue(
  path: string,
  message: string | undefined,
  { keys, errors }: Pick<RawIssue, 'keys' | 'errors'>,
): Issue {
  const members = (errors ?? []).filter((issues) => issues.length > 0);
  const [first, ...others] = members;
  if (first === undefined || message !== WORDLESS) return { path, message, keys: keys ?? null };
  const meant = others.reduce((best, one) => (misfit(one) < misfit(best) ? one : best), first);
  const [issue] = meant;
  if (issue === undefined) return { path, message, keys: null };
  const within = [path, ...issue.path.map(String)].join('/');
  return meantIssue(within, issue.message, issue);
}

function misfit(issues: readonly RawIssue[]): number {
  const upper = issues.filter(({ path }) => path.length < 2);
  return upper.reduce((sum, { keys }) => sum + (keys?.length ?? 1), 0);
}
