/** A problem document (RFC 9457) as every route of the API answers an error. */
export interface ProblemDocument {
  type?: string;
  title?: string;
  status?: number;
  code?: string;
  detail?: string;
  [member: string]: unknown;
}

/**
 * The API refused a call, or could not be asked.
 *
 * `status` is HTTP's, or 0 where no answer came (`code` is then `unreachable`, `timeout` or
 * `deadline`). `code` is stable and for programs; `detail` is a sentence for people.
 *
 * @example
 * try {
 *   await client.cards.get('card_1');
 * } catch (error) {
 *   if (error instanceof CairnError && error.status === 404) return null;
 *   throw error;
 * }
 */
export class CairnError extends Error {
  override readonly name = 'CairnError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    /** The whole document, for members that only some problems have (`pointer`, `items`). */
    readonly problem: ProblemDocument = {},
    options?: { cause?: unknown },
  ) {
    super(detail, options);
  }
}

/** What an answer that is not 2xx says; an answer of a proxy need not be a problem document. */
export function errorOf(status: number, text: string): CairnError {
  const problem = parsed(text);
  const code = typeof problem.code === 'string' ? problem.code : `http_${status}`;
  const detail =
    typeof problem.detail === 'string'
      ? problem.detail
      : `the server answered with status ${status}`;
  return new CairnError(status, code, detail, problem);
}

function parsed(text: string): ProblemDocument {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ProblemDocument) : {};
  } catch {
    return {};
  }
}
