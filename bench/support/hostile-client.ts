import { connect } from 'node:net';

export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface Answer {
  status: number;
  type: string;
  text: string;
}

/** What a hostile program sends to one Cairn. */
export class HostileClient {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  async send({ method, path, headers, body }: Request): Promise<Answer> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...(body === null ? {} : { body }),
    });
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, text: await answer.text() };
  }

  async get(path: string): Promise<Answer> {
    return await this.send({ method: 'GET', path, headers: {}, body: null });
  }

  async isReady(): Promise<boolean> {
    return await this.get('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  /** Bytes that need not be HTTP. Whatever comes back, or nothing, is right; a second is waited. */
  async raw(bytes: Buffer): Promise<void> {
    const { hostname, port } = new URL(this.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.setTimeout(1_000, () => socket.destroy());
      socket.on('data', () => undefined);
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  }

  head(): string {
    return `POST /v1/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${this.key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
  }
}

/** What is wrong with an answer, whatever was asked; null where nothing is. */
export function faultIn({ status, type, text }: Answer): string | null {
  if (status >= 500) return `status ${status}`;
  if (status < 400) return null;
  if (!type.startsWith('application/problem+json'))
    return `status ${status} as ${type || 'nothing'}`;
  const problem = objectIn(text);
  if (problem === null) return `status ${status} with a body that is no object`;
  const { type: urn, title, detail, code } = problem;
  if (problem.status !== status) return `a problem of status ${problem.status} under ${status}`;
  if (urn !== `urn:cairn:problem:${code}`) return `a problem of type ${urn} with code ${code}`;
  if (typeof title !== 'string' || typeof detail !== 'string' || detail.length < 8) {
    return 'a problem that says nothing';
  }
  if (text.length > 4_000) return `a problem of ${text.length} characters`;
  return null;
}

export function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
