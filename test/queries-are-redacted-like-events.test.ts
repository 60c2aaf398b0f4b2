import { PassThrough, Readable } from 'node:stream';
import { runCairn } from '../src/cli/run';
import { createOpenAiEmbedder } from '../src/models/openai-embedder';
import { type EmbeddingEndpoint, startEmbeddingEndpoint } from './support/embedding-endpoint';
import { Filing, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';
import { McpSession } from './support/mcp';
import { email, examples, externalAddress, githubToken, phone } from './support/secret-strings';

const MODEL = 'recording';
const GRACE = ['grace.hopper', 'example.net'].join('@');
const OTHER_ADDRESS = ['81', '2', '69', '160'].join('.');

let endpoint: EmbeddingEndpoint;
let lane: RecallLane;
let filing: Filing;
let scout: string;

beforeAll(async () => {
  endpoint = await startEmbeddingEndpoint({ [MODEL]: 64 });
  const embedder = createOpenAiEmbedder({ baseUrl: endpoint.baseUrl, model: MODEL });
  lane = await startRecallLane(embedder);
  filing = new Filing({ api: lane.api, clock: lane.clock, embedder });
  await lane.api.call('PUT', '/v1/agents/scout', { body: {} });
  scout = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
});
afterAll(async () => {
  await lane.close();
  await endpoint.close();
});

/** All that the endpoint was ever given. */
const given = () => endpoint.asked(MODEL).join('\n');

/** The card of what somebody said; of two such texts only their addresses differ. */
async function told(text: string, more: object = {}): Promise<string> {
  lane.clock.advance(MINUTE);
  return await filing.card({ kind: 'chat', outcome: 'neutral', text, ...more });
}

const firstOf = async (query: string, filters?: object): Promise<string | undefined> => {
  const { body } = await lane.recall({ query, ...(filters === undefined ? {} : { filters }) });
  return body.cards[0]?.id;
};

describe('no secret and no address of a query', () => {
  const query = examples()
    .map(({ text }) => text)
    .join('\n');
  const found = () =>
    examples()
      .map(({ secret }) => secret.split('\n')[1] ?? secret)
      .filter((secret) => given().includes(secret));

  it('reaches who embeds it, by whichever door', async () => {
    await told('The lock gate opens inwards.');
    const before = endpoint.asked(MODEL).length;
    expect((await lane.recall({ query: `over HTTP: ${query}` })).status).toBe(200);
    const session = await McpSession.http(lane.api, scout);
    for (const tool of ['memory_search', 'search_memories']) {
      const answer = await session.call(tool, { query: `by ${tool}: ${query}` });
      expect(answer.isError).toBe(false);
    }
    await session.close();
    const out = new PassThrough();
    const environment = { CAIRN_URL: lane.api.url, CAIRN_KEY: scout };
    const terminal = { out, err: new PassThrough(), input: Readable.from([]) };
    expect(
      await runCairn(['recall', `by the cli: ${query}`, '--json'], terminal, environment),
    ).toBe(0);
    const asked = endpoint.asked(MODEL).slice(before).join('\n');
    for (const door of ['over HTTP', 'by memory_search', 'by search_memories', 'by the cli']) {
      expect(asked).toContain(door);
    }
    expect(asked).toContain('[REDACTED_TOKEN]');
    expect(found()).toEqual([]);
  });

  it('reaches them in one that is JSON, where the field tells what it is', async () => {
    const secret = ['tr0ub', 'adour', '3x'].join('-');
    await lane.recall({ query: JSON.stringify({ user: email(), password: secret }) });
    expect(given()).toContain('[REDACTED_PASSWORD]');
    expect([given().includes(secret), ...found()]).toEqual([false]);
  });
});

describe('a query finds what was said with the address that it names', () => {
  const pairs: [string, string, string, string][] = [
    ['an e-mail', email(), GRACE, email().toUpperCase()],
    ['a telephone', phone(), ['+49', '30', '901820', '44'].join(' '), phone().replace(/ /g, '-')],
    ['an external address', externalAddress(), OTHER_ADDRESS, externalAddress()],
  ];

  it.each(pairs)('%s, over HTTP and by MCP', async (_what, one, other, spelled) => {
    const text = (address: string) => `Customer wrote from ${address} about the berth.`;
    const wanted = await told(text(one));
    const another = await told(text(other));
    expect(await firstOf(spelled)).toBe(wanted);
    expect(await firstOf(`what did ${spelled} want?`)).toBe(wanted);
    expect(await firstOf(`what did ${other} want?`)).toBe(another);
    const session = await McpSession.http(lane.api, scout);
    const { structured } = await session.call('memory_search', { query: `who is ${spelled}?` });
    expect(structured.cards[0].id).toBe(wanted);
    await session.close();
    const { body } = await lane.api.call('GET', `/v1/cards?q=${encodeURIComponent(spelled)}`);
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([wanted]);
  });

  it('also where it is whom the card is about', async () => {
    const ida = ['ida', 'example.org'].join('@');
    const about = await told('Prefers the morning tide.', { subject: ida });
    await told('Prefers the evening tide.', { subject: ['eve', 'example.org'].join('@') });
    expect(await firstOf(`which tide does ${ida} prefer?`)).toBe(about);
    expect(await firstOf('tide', { subject: ida })).toBe(about);
    const list = await lane.api.call('GET', `/v1/cards?subject=${encodeURIComponent(ida)}`);
    expect(list.body.items).toHaveLength(1);
    const session = await McpSession.http(lane.api, scout);
    const args = { query: 'tide', filters: { subject: ida } };
    const { structured } = await session.call('memory_search', args);
    expect(structured.cards.map(({ id }: { id: string }) => id)).toEqual([about]);
    await session.close();
  });

  it('by the topic and the metadata of a filter', async () => {
    const lin = ['lin', 'example.org'].join('@');
    const card = { summary: 'Pays by invoice.', topic: `mail of ${lin}`, metadata: { from: lin } };
    const { id } = await writeCard(lane.api, card, { key: scout });
    expect(await firstOf('invoice', { topic: `mail of ${lin}` })).toBe(id);
    expect(await firstOf('invoice', { metadata: { from: lin } })).toBe(id);
    expect(await firstOf('invoice', { metadata: { from: GRACE } })).toBeUndefined();
  });

  it('as one that has the token itself: the same cards, scores and context', async () => {
    const asked = { query: `what did ${email()} want?`, explain: true };
    const { body } = await lane.recall(asked);
    const { keywords } = body.cards[0].hints as { keywords: string[] };
    const tag = keywords.find((word) => word.startsWith('email_'))?.slice('email_'.length);
    const again = await lane.recall({ ...asked, query: `what did [EMAIL_${tag}] want?` });
    expect(again.body.cards).toEqual(body.cards);
    expect(again.body.context_version).toBe(body.context_version);
  });
});

it('a secret in the place of a subject or an agent to look for is refused, without repeating it', async () => {
  const secret = githubToken(4);
  for (const answer of [
    await lane.api.call('POST', '/v1/recall', {
      key: scout,
      body: { query: 'tide', filters: { subject: secret } },
    }),
    await lane.api.call('GET', `/v1/cards?subject=${secret}`),
    await lane.api.call('GET', `/v1/cards?agent=${secret}`),
    await lane.api.call('GET', `/v1/competence?agent=${secret}`),
    await lane.api.call('GET', `/v1/events?agent=${secret}`),
    await lane.api.call('GET', `/v1/subjects/${secret}`),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([422, 'secret_in_identifier']);
    expect(answer.text).not.toContain(secret);
  }
});

it('a name that the directory marks reaches nobody, and finds what was said of it', async () => {
  const name = 'Mia Quillfeather';
  await lane.api.call('PUT', '/v1/subjects/mia', { body: { name, redact_name: true } });
  const card = await told(`${name} keeps bees on the roof.`);
  expect(await firstOf(`does ${name} keep bees?`)).toBe(card);
  expect(await firstOf('MIA QUILLFEATHER and her bees')).toBe(card);
  expect(given()).toContain('[REDACTED_NAME]');
  expect(given().toLowerCase()).not.toContain('quillfeather');
});

it('where the policy keeps contact data, query and card keep it alike, and a secret never', async () => {
  const kept = ['kept', 'example.org'].join('@');
  const { headers } = await lane.api.call('GET', '/v1/policy');
  const changed = await lane.api.call('PUT', '/v1/policy', {
    headers: { 'if-match': headers.get('etag') as string },
    body: { redaction: { contact_data: 'keep_for_subjects' } },
  });
  expect(changed.status).toBe(200);
  const card = await told(`Write to ${kept} about the crane.`);
  expect(await firstOf(`what about ${kept}, ${githubToken(5)}?`)).toBe(card);
  const [asked] = endpoint.asked(MODEL).slice(-1);
  expect(asked).toContain(kept);
  expect(asked).not.toContain(githubToken(5));
});
