import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { DeliveryError } from '../contracts/webhook';
import { errorOfStatus, type TryOutcome } from '../domain/webhook-retry';
import {
  type AddressRule,
  permittedAddresses,
  permittedLookup,
  permittedUrl,
  TargetRefused,
} from './webhook-address';

/** Of an answer's body: it is read so that the receiver can finish, and thrown away. */
const MOST_BYTES = 64 * 1024;
/** Of the headers of an answer, which nobody looks at. */
const MOST_HEADER_BYTES = 16 * 1024;

export interface WebhookPost {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
  rule: AddressRule;
  /** Ends the try, wherever it is. */
  signal: AbortSignal;
}

/**
 * Posts once, to an address that the rule allows, on a connection of its own. Nothing is followed and
 * nothing of the answer is kept but its status. It never throws.
 */
export async function postWebhook(post: WebhookPost): Promise<TryOutcome> {
  try {
    const url = permittedUrl(post.url, post.rule.allowPrivate);
    // A connection looks up names only: what is an address already is looked at here.
    if (isLiteral(url)) await permittedAddresses(url.hostname, post.rule);
    const status = await answeredStatus(url, post);
    return { status, error: errorOfStatus(status) };
  } catch (error) {
    return { status: null, error: errorOf(error, post.signal) };
  }
}

function isLiteral({ hostname }: URL): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}

function answeredStatus(url: URL, { body, headers, rule, signal }: WebhookPost): Promise<number> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = open(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: false,
      lookup: permittedLookup(rule),
      maxHeaderSize: MOST_HEADER_BYTES,
      signal,
    });
    let status: number | null = null;
    request.on('response', (response) => {
      status = response.statusCode ?? null;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BYTES) request.destroy();
      });
      response.on('error', () => undefined);
    });
    // What was answered counts, however the body or the connection ends afterwards.
    const settle = (error: Error) => (status === null ? reject(error) : resolve(status));
    request.on('error', settle);
    request.on('close', () =>
      settle(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })),
    );
    request.end(body);
  });
}

function errorOf(error: unknown, signal: AbortSignal): DeliveryError {
  if (error instanceof TargetRefused) return error.code;
  if (signal.aborted) return 'timeout';
  const code = String((error as { code?: unknown }).code ?? '');
  if (code.startsWith('HPE_')) return 'bad_answer';
  if (/^ERR_(?:TLS|SSL)|^EPROTO$|CERT|SIGNATURE|ISSUER/.test(code)) return 'tls';
  return code === '' ? 'internal' : 'unreachable';
}
