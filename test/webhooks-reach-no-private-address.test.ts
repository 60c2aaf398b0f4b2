import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { postWebhook } from '../src/api/webhook-post';
import { reachOf } from '../src/domain/address-reach';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver';
import { WebhookLane } from './support/webhooks';

jest.setTimeout(120_000);

let lane: WebhookLane;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [lane, receiver] = await Promise.all([WebhookLane.start(), startWebhookReceiver()]);
});
afterEach(async () => {
  await lane.stopSending();
  receiver.received.length = 0;
});
afterAll(async () => {
  await lane.close();
  await receiver.close();
});

/** No name server is asked for these: addresses, and the names of this machine. */
const PRIVATE = [
  '127.0.0.1',
  '127.8.8.8',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '100.64.0.1',
  '[::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[64:ff9b::192.168.1.1]',
  '0x7f.1',
  '2130706433',
  '017700000001',
  'localhost',
  'localhost.',
];
const NEVER = [
  '0.0.0.0',
  '0.1.2.3',
  '169.254.169.254',
  '169.254.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::169.254.169.254]',
  '[::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:db8::1]',
  '[64:ff9b:1::1]',
];
const PUBLIC = ['8.8.8.8', '172.32.0.1', '[2606:4700::1111]', '[::ffff:8.8.8.8]'];

const put = async (url: string) =>
  await lane.api.call('PUT', '/v1/webhooks/hook', { body: { url, events: ['ping'] } });

describe('a webhook that is put', () => {
  beforeAll(() => lane.allowPrivate(false));

  it.each([...PRIVATE, ...NEVER])('may not lead to %s', async (host) => {
    const answer = await put(`https://${host}/cairn`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'url_not_allowed', pointer: '/url' },
    });
    expect((await lane.api.call('GET', '/v1/webhooks/hook')).status).toBe(404);
  });

  it.each(PUBLIC)('may lead to %s', async (host) => {
    expect((await put(`https://${host}/cairn`)).status).toBeLessThan(300);
    await lane.api.call('DELETE', '/v1/webhooks/hook');
  });

  it.each([
    'http://8.8.8.8/plain',
    'ftp://8.8.8.8/',
    'file:///etc/passwd',
    'https://user@8.8.8.8/',
    'https://user:password@8.8.8.8/',
    'https://a name.example/',
    '/cairn',
    'nowhere',
  ])('may not be %s', async (url) => {
    expect(await put(url)).toMatchObject({ status: 400, body: { code: 'url_not_allowed' } });
  });

  it('says the same of what is private and of what is not there', async () => {
    const [inside, nowhere] = [await put('https://localhost/'), await put('https://no.invalid/')];
    expect(inside.body).toEqual(nowhere.body);
  });
});

describe('the policy', () => {
  it('may allow private addresses and plain http, and never those of link, cloud and many', async () => {
    await lane.allowPrivate(true);
    // Whether this one is found is up to the resolver.
    for (const host of PRIVATE.filter((one) => one !== 'localhost.')) {
      expect((await put(`http://${host}/`)).status).toBeLessThan(300);
    }
    for (const host of NEVER) {
      expect(await put(`http://${host}/`)).toMatchObject({ body: { code: 'url_not_allowed' } });
    }
    expect(await put('http://user@127.0.0.1/')).toMatchObject({ status: 400 });
    await lane.api.call('DELETE', '/v1/webhooks/hook');
  });

  it('is asked again at each try', async () => {
    await lane.allowPrivate(true);
    await put(receiver.url);
    await lane.allowPrivate(false);
    lane.send();
    const n = await lane.ping('hook');
    const refused = await lane.tried('hook', n, 1);
    expect(refused).toMatchObject({ state: 'pending', last_error: 'url_refused' });
    expect(receiver.received).toEqual([]);
    await lane.allowPrivate(true);
    lane.wait(refused);
    expect(await lane.tried('hook', n, 2)).toMatchObject({ state: 'delivered' });
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a connection', () => {
  const at = (address: string): LookupAddress => ({
    address,
    family: address.includes(':') ? 6 : 4,
  });
  const post = (url: string, allowPrivate: boolean, resolve: () => Promise<LookupAddress[]>) =>
    postWebhook({
      url,
      body: '{}',
      headers: {},
      rule: { allowPrivate, resolve },
      signal: AbortSignal.timeout(20_000),
    });
  const named = () => `http://hooks.example.com:${receiver.port}/`;
  const securely = () => `https://hooks.example.com:${receiver.port}/`;

  it('goes to the very address that was looked at, looked up once', async () => {
    let lookups = 0;
    const rebinding = async () => {
      lookups += 1;
      return [at(lookups === 1 ? '127.0.0.1' : '169.254.169.254')];
    };
    expect(await post(named(), true, rebinding)).toEqual({ status: 204, error: null });
    expect(lookups).toBe(1);
    expect(receiver.received[0]?.headers.host).toBe(`hooks.example.com:${receiver.port}`);
  });

  it('is not made where the name has come to stand for a private address', async () => {
    const outcome = await post(securely(), false, async () => [at('127.0.0.1')]);
    expect(outcome).toEqual({ status: null, error: 'address_refused' });
    const mapped = await post(securely(), false, async () => [at('::ffff:127.0.0.1')]);
    expect(mapped.error).toBe('address_refused');
  });

  it('is not made where one of its addresses is private', async () => {
    const mixed = async () => [at('8.8.8.8'), at('127.0.0.1')];
    expect(await post(securely(), false, mixed)).toEqual({
      status: null,
      error: 'address_refused',
    });
    const never = async () => [at('127.0.0.1'), at('169.254.169.254')];
    expect((await post(named(), true, never)).error).toBe('address_refused');
  });

  it('is not made to an address in the URL that is private, nor in plain http', async () => {
    const unasked = async () => {
      throw new Error('no name to look up');
    };
    const literal = await post(`https://127.0.0.1:${receiver.port}/`, false, unasked);
    expect(literal.error).toBe('address_refused');
    const mapped = await post(`https://[::ffff:127.0.0.1]:${receiver.port}/`, false, unasked);
    expect(mapped.error).toBe('address_refused');
    expect((await post(receiver.url, false, unasked)).error).toBe('url_refused');
    expect((await post(named(), true, unasked)).error).toBe('unresolved');
  });

  it('is checked: a receiver without a good certificate gets nothing', async () => {
    const outcome = await post(securely(), true, async () => [at('127.0.0.1')]);
    expect(outcome).toEqual({ status: null, error: 'tls' });
  });

  afterEach(() => {
    if (receiver.received.length > 1) throw new Error('more arrived than was allowed');
  });
});

describe('where an address leads', () => {
  it('is never for an IPv4 address written as an IPv6 one in the block that is out of use', () => {
    for (const address of ['::1.0.0.0', '::8.8.8.8', '0:0:0:0:0:0:8.8.8.8', '::808:808']) {
      expect([address, reachOf(address)]).toEqual([address, 'never']);
    }
    expect(reachOf('::ffff:8.8.8.8')).toBe('public');
    expect(reachOf('64:ff9b::8.8.8.8')).toBe('public');
    expect(reachOf('::ffff:127.0.0.1')).toBe('private');
    expect(reachOf('64:ff9b::10.0.0.1')).toBe('private');
  });

  it('is public for nothing but global unicast', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const isGlobal = /^[23][0-9a-f]{3}:/i.test(address);
        if (!isGlobal && !/^(?:0*:){0,5}:?(?:ffff|0064|64)/i.test(address)) {
          expect([address, reachOf(address)]).not.toEqual([address, 'public']);
        }
      }),
    );
  });

  it('is the same for an IPv4 address and for the IPv6 ones that stand for it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(reachOf(`::ffff:${address}`)).toBe(reachOf(address));
        expect(reachOf(`64:ff9b::${address}`)).toBe(reachOf(address));
      }),
    );
  });

  it('is nowhere for what is no address', () => {
    for (const text of ['', 'localhost', '1.2.3.4.5', '::g', '1.2.3.4/8']) {
      expect([text, reachOf(text)]).toEqual([text, 'never']);
    }
  });
});
