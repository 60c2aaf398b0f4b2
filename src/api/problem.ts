/** An error as RFC 9457 shows it: what happened, and what to do about it. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    /** Stable, for programs. */
    readonly code: string,
    /** For people; it never repeats a value that may be secret. */
    readonly detail: string,
    readonly extra: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(code);
  }

  body(): Record<string, unknown> {
    return {
      type: `urn:cairn:problem:${this.code}`,
      title: TITLES[this.status] ?? 'Error',
      status: this.status,
      code: this.code,
      detail: this.detail,
      ...this.extra,
    };
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Too large',
  414: 'Too long',
  415: 'Unsupported media type',
  422: 'Not processable',
  428: 'Precondition required',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Unavailable',
};

export function badRequest(detail: string, pointer?: string): Problem {
  return new Problem(400, 'invalid', detail, pointer === undefined ? {} : { pointer });
}

/** A foreign id and one that never was look the same. */
export function notFound(what: string): Problem {
  return new Problem(404, 'not_found', `there is no such ${what} that this key may see`);
}

export function notAllowed(detail: string): Problem {
  return new Problem(403, 'not_allowed', detail);
}

/** A person stopped the agent, or the runtime whose key it is. */
export function stoppedByPerson(): Problem {
  return new Problem(
    403,
    'stopped',
    'a person stopped what this key writes, here or for this agent; it may read, and a person may lift it',
  );
}

/** The database is away: nothing was acknowledged, so come back. */
export function unavailable(): Problem {
  return new Problem(
    503,
    'unavailable',
    'the database cannot be reached right now; nothing was taken, so send the same request again',
    {},
    { 'retry-after': '5' },
  );
}
