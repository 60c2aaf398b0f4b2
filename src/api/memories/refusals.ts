import { badRequest, Problem } from '../problem';

/** What Cairn has no notion of: mem0's clients raise it as a `ValidationError` with this text. */
export function notSupported(detail: string): Problem {
  return new Problem(400, 'not_supported', detail);
}

/**
 * What would say whose memories are meant, and cannot, is refused: to overlook it would show or delete those of
 * others.
 * @throws Problem 400
 */
export function requireNoApp(given: { app_id?: string | null | undefined }): void {
  if (given.app_id == null) return;
  throw notSupported(
    'there is no app_id here: a workspace is its own, and what tells apps apart within one goes into metadata',
  );
}

/** @throws Problem 400 where memories are asked for by what they do not have. */
export function requireNoCategories(given: { categories?: unknown[] | null | undefined }): void {
  if ((given.categories?.length ?? 0) === 0) return;
  throw notSupported('memories have no categories here: put one into metadata and filter by that');
}

export function unknownFilter(name: string, known: readonly string[], pointer: string): Problem {
  return badRequest(
    `filters: there is no ${quotable(name)} here; what is known: ${known.join(', ')}`,
    pointer,
  );
}

/** A name that a caller made up, short and without surprises. */
function quotable(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? name : 'such name';
}
