import type { FastifyRequest } from 'fastify';
import { Problem } from '../problem';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** Bound to every address, the API is reached by names that it cannot know. */
const ANY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

/**
 * Keeps web pages out. A page may send requests to a server on its visitor's machine, directly or by a
 * name of its own that it lets point there (DNS rebinding); a browser then says so in `Origin`, and
 * shows the name in `Host`. Programs send no `Origin`.
 * @param listening the host that the API listens on
 * @throws Problem 403
 */
export function requireOwnHost(
  { headers }: Pick<FastifyRequest, 'headers'>,
  listening: string,
): void {
  const own = (name: string | null) =>
    name !== null && (LOOPBACK.test(name) || name === hostOf(`http://${bracketed(listening)}`));
  const { origin, host } = headers;
  if (origin !== undefined && !own(hostOf(origin))) {
    throw refused('this Origin may not use /mcp: it is for programs, not for web pages');
  }
  if (ANY_ADDRESS.has(listening)) return;
  if (!own(hostOf(`http://${host ?? ''}`))) {
    throw refused(
      'this Host is not the one that Cairn listens on: use localhost or CAIRN_HOST in the URL, and let a proxy in front send that as Host',
    );
  }
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
