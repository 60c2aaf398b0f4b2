import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { reachOf } from '../domain/address-reach';

/** Finds the addresses of a host; throws where it has none. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

/** A webhook may not go there; the code says why, the address is not repeated. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  constructor(readonly code: 'unresolved' | 'address_refused' | 'url_refused') {
    super(code);
  }
}

/**
 * Lookups at once. Each holds one of the four threads that the process has for them, Postgres's own
 * among them, for as long as a name server that does not answer takes.
 */
const LOOKUPS = 2;
let free = LOOKUPS;
const waiting: (() => void)[] = [];

/** By the system's resolver, so that /etc/hosts and the network's own names count. */
export const resolveHost: ResolveHost = async (host) => {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await dns.lookup(host, { all: true });
  } finally {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  }
};

export interface AddressRule {
  allowPrivate: boolean;
  resolve: ResolveHost;
}

/**
 * The URL where its form is one that a webhook may have: http or https, https where private addresses are
 * not allowed, and without credentials, which would stand in no header that a receiver expects.
 * @throws TargetRefused otherwise.
 */
export function permittedUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const schemes = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (url === null || !schemes.includes(url.protocol)) throw new TargetRefused('url_refused');
  if (url.username !== '' || url.password !== '') throw new TargetRefused('url_refused');
  url.hash = '';
  return url;
}

/**
 * The addresses of a host, all of which have to be allowed: one that leads elsewhere would be one in so
 * many connections that does.
 * @throws TargetRefused where one is not, or there is none.
 */
export async function permittedAddresses(
  host: string,
  { allowPrivate, resolve }: AddressRule,
): Promise<LookupAddress[]> {
  const literal = host.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  const addresses =
    family === 0
      ? await resolve(host).catch(() => {
          throw new TargetRefused('unresolved');
        })
      : [{ address: literal, family }];
  const allowed = ({ address }: LookupAddress) => {
    const reach = reachOf(address);
    return reach === 'public' || (reach === 'private' && allowPrivate);
  };
  if (addresses.length === 0) throw new TargetRefused('unresolved');
  if (!addresses.every(allowed)) throw new TargetRefused('address_refused');
  return addresses;
}

/**
 * What a connection asks for its address, in the place of the system's: the very addresses that were
 * looked at are the ones that are connected to, so that a name that changes in between gains nothing.
 */
export function permittedLookup(rule: AddressRule): LookupFunction {
  return (host, options, callback) => {
    permittedAddresses(host, rule).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
