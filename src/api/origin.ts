import type { FastifyRequest } from 'fastify';
import { Problem } from './problem';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Bound to every address, the API is reached by names that it cannot know. */
const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

/** Names beside those that Cairn knows by itself. */
export interface KnownNames {
  /** Origins of web pages that may use the API, such as `https://console.example.com`. */
  origins: readonly string[];
  /** Names by which a proxy in front is reached, where it passes them on as `Host`. */
  hosts: readonly string[];
}

const NONE: KnownNames = { origins: [], hosts: [] };

type Headers = Pick<FastifyRequest, 'headers'>;

/**
 * Keeps web pages out of `/mcp`. A page may send requests to a server on its visitor's machine, directly or by a
 * name of its own that it lets point there (DNS rebinding); a browser then says so in `Origin`, and
 * shows the name in `Host`. Programs send no `Origin`.
 * @param listening the host that the API listens on
 * @throws Problem 403
 */
export function requireOwnHost(
  { headers }: Headers,
  listening: string,
  known: KnownNames = NONE,
): void {
  const { origin } = headers;
  if (
    origin !== undefined &&
    !known.origins.includes(origin) &&
    !isOwn(hostOf(origin), listening)
  ) {
    throw refused('this Origin may not use /mcp: it is for programs, not for web pages');
  }
  requireHost(headers, listening, known);
}

/**
 * Keeps foreign web pages out of everything else. A page of Cairn's own address may use it, and those that are
 * listed; on loopback the address itself has to be one of this machine's, since a page could let its own name
 * point there.
 * @throws Problem 403
 */
export function requireKnownPage(
  { headers }: Headers,
  listening: string,
  known: KnownNames = NONE,
): void {
  if (isOwn(listening, '')) requireHost(headers, listening, known);
  const { origin, host } = headers;
  if (origin === undefined || known.origins.includes(origin)) return;
  const page = hostOf(origin);
  const isSame = page !== null && page === hostOf(`http://${host ?? ''}`);
  if (isSame || (isOwn(listening, '') && isOwn(page, ''))) return;
  throw refused(
    'web pages of this Origin may not use Cairn: list it in CAIRN_CORS_ORIGINS, or call from a program',
  );
}

function requireHost(
  { host }: FastifyRequest['headers'],
  listening: string,
  { hosts }: KnownNames,
): void {
  if (ANY_ADDRESS.has(listening)) return;
  const name = hostOf(`http://${host ?? ''}`);
  if (isOwn(name, listening) || (name !== null && hosts.includes(name))) return;
  throw refused(
    'this Host is not the one that Cairn listens on: use localhost or CAIRN_HOST in the URL, let a proxy in front send that as Host, or list its name in CAIRN_ALLOWED_HOSTS',
  );
}

/** Of this machine, or what is listened on. */
function isOwn(name: string | null, listening: string): boolean {
  if (name === null) return false;
  return LOOPBACK.test(bracketed(name)) || name === hostOf(`http://${bracketed(listening)}`);
}

/** In lower case and without its port; null where it is none, as `Origin: null` is. */
function hostOf(url: string): string | null {
  try {
    return new URL(url).hostname.replace(/\.$/, '');
  } catch {
    return null;
  }
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function refused(detail: string): Problem {
  return new Problem(403, 'host_not_allowed', detail);
}
