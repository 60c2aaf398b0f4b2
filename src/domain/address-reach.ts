import { type IPv4, IPv6, parse } from 'ipaddr.js';

/**
 * Where an address leads: `public` is the internet; `private` this machine or a network of one's own;
 * `never` is no place for a request of ours, whatever anybody allows: link-local (where clouds keep the
 * credentials of a machine), multicast, unspecified, reserved and tunnelled ranges.
 */
export type Reach = 'public' | 'private' | 'never';

const PRIVATE: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];

/** Services of clouds about the machine itself that stand outside the link-local ranges. */
const METADATA: readonly string[] = [
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
];

/** Global unicast as it is given out; the library calls whatever it does not know unicast too. */
const GLOBAL = IPv6.parseCIDR('2000::/3');
/** The well-known prefix under which a network without IPv4 reaches one. */
const NAT64 = IPv6.parseCIDR('64:ff9b::/96');

/** @param address an IPv4 or IPv6 address as a resolver gives it; what is none is `never` */
export function reachOf(address: string): Reach {
  let parsed: IPv4 | IPv6;
  try {
    parsed = inner(parse(inHex(address)));
  } catch {
    return 'never';
  }
  if (METADATA.includes(parsed.toString())) return 'never';
  const range = parsed.range();
  if (PRIVATE.includes(range)) return 'private';
  if (range !== 'unicast') return 'never';
  return isV6(parsed) && !parsed.match(GLOBAL) ? 'never' : 'public';
}

/**
 * The same address without its dotted tail. The library takes `::1.2.3.4` for a mapped IPv4 address, which a
 * connection does not: it is of the block that is long out of use.
 */
function inHex(address: string): string {
  const [, head, ...tail] = /^(.*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(address) ?? [];
  if (head === undefined) return address;
  const [a, b, c, d] = tail.map(Number) as [number, number, number, number];
  if (Math.max(a, b, c, d) > 255) return address;
  return `${head}${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** The IPv4 address that an IPv6 one stands for. */
function inner(address: IPv4 | IPv6): IPv4 | IPv6 {
  if (!isV6(address)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (!address.match(NAT64)) return address;
  return parse(address.toByteArray().slice(12).join('.'));
}

function isV6(address: IPv4 | IPv6): address is IPv6 {
  return address.kind() === 'ipv6';
}
