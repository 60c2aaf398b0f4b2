import type { IncomingHttpHeaders } from 'node:http';
import { SESSION_LASTS_MS } from '../../store/console-sessions';

const NAME = 'cairn_session';
/** 32 bytes, as base64url writes them. */
const VALUE = /(?:^|;) *cairn_session=([A-Za-z0-9_-]{43}) *(?:;|$)/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/;

/** What stands for a session in a browser; null where none does. */
export function sessionTokenIn(headers: IncomingHttpHeaders): string | null {
  return VALUE.exec(headers.cookie ?? '')?.[1] ?? null;
}

/** How the server is reached, as far as a cookie has to know. */
export interface Reached {
  /** The host that the API listens on. */
  host: string;
  headers: IncomingHttpHeaders;
}

/** `Set-Cookie` for a browser that has signed in. No script reads it, and no other site's page sends it. */
export function cookieOf(token: string, reached: Reached): string {
  return written(token, SESSION_LASTS_MS / 1_000, reached);
}

/** The same for one that has signed out. */
export function noCookie(reached: Reached): string {
  return written('', 0, reached);
}

function written(value: string, seconds: number, { host, headers }: Reached): string {
  // On plain HTTP a browser keeps a secure cookie of its own machine only, and not every browser does that.
  const isSecure = !LOOPBACK.test(host) || headers['x-forwarded-proto'] === 'https';
  return [
    `${NAME}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ');
}
