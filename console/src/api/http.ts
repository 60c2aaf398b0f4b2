/**
 * The one way to `/v1`: the session's cookie says who asks, its CSRF word goes with every write, and
 * every refusal is a `Problem`.
 */

export type QueryValue = string | number | boolean | readonly string[] | null | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query;
  body?: unknown;
  /** The version that a change was made from: `If-Match`. */
  ifMatch?: number | string;
  /** The agent as whom to read (`Cairn-Agent`). */
  agent?: string | undefined;
  signal?: AbortSignal;
  /** Lines or text as they are, instead of `body`. */
  raw?: { body: BodyInit; type: string };
}

/** A problem document, or what stands for one where none came. */
export class Problem extends Error {
  constructor(
    /** 0: no answer came. */
    readonly status: number,
    readonly code: string,
    /** What happened and what to do, for people. */
    readonly detail: string,
    readonly fields: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
    this.name = 'Problem';
  }
}

export interface Answer<T> {
  data: T;
  status: number;
  headers: Headers;
}

let csrf: string | null = null;
let whenSignedOut: () => void = () => {};

/** Of the session at hand; null while there is none. */
export function setCsrf(word: string | null): void {
  csrf = word;
}

/** What to do when the server no longer knows the session. */
export function onSignedOut(listener: () => void): void {
  whenSignedOut = listener;
}

export function urlOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    // Filters of the API that take several values are given several times.
    for (const one of [value].flat()) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** @throws Problem for every answer that is no success, and where none comes. */
export async function send<T>(path: string, call: Call = {}): Promise<Answer<T>> {
  const response = await fetched(path, call);
  if (response.status === 304 || response.status === 204) {
    return { data: undefined as T, status: response.status, headers: response.headers };
  }
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  if (!response.ok) throw refused(response.status, isJson ? text : '');
  return {
    data: (isJson ? JSON.parse(text) : text) as T,
    status: response.status,
    headers: response.headers,
  };
}

export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  return (await send<T>(path, signal === undefined ? { query } : { query, signal })).data;
}

/** For what is saved as a file. @throws Problem as `send` does. */
export async function download(path: string, call: Call = {}): Promise<Blob> {
  const response = await fetched(path, call);
  if (!response.ok) throw refused(response.status, await response.text());
  return response.blob();
}

async function fetched(path: string, call: Call): Promise<Response> {
  const { method = 'GET', query = {}, body, ifMatch, agent, signal, raw } = call;
  const headers = new Headers({ accept: 'application/json' });
  if (agent !== undefined && agent !== '') headers.set('cairn-agent', agent);
  if (ifMatch !== undefined) headers.set('if-match', `"${ifMatch}"`);
  if (method !== 'GET') {
    if (csrf !== null) headers.set('cairn-csrf', csrf);
    headers.set('idempotency-key', crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`);
  }
  const content = raw?.body ?? (body === undefined ? null : JSON.stringify(body));
  if (content !== null) headers.set('content-type', raw?.type ?? 'application/json');
  let response: Response;
  try {
    response = await fetch(urlOf(path, query), {
      method,
      headers,
      body: content,
      credentials: 'same-origin',
      signal: signal ?? null,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Problem(0, 'no_answer', 'The server does not answer. Is it running?');
  }
  if (response.status === 401 && path !== '/v1/session') whenSignedOut();
  return response;
}

function refused(status: number, text: string): Problem {
  let fields: Record<string, unknown> = {};
  try {
    fields = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // What stands before the server, a proxy above all, answers in words of its own.
  }
  const say = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '');
  const detail = say('detail') || say('title') || `The server answered ${status}.`;
  return new Problem(status, say('code') || 'unknown', detail, fields);
}

/** What the reader may not see, or no longer: then nothing that was read before is shown either. */
export function isGone(error: unknown): boolean {
  return error instanceof Problem && [401, 403, 404, 410].includes(error.status);
}
