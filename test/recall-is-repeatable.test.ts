import { buildApp } from '../src/api/app';
import { Intake } from '../src/intake/intake';
import { Pseudonyms } from '../src/intake/pseudonyms';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { createLogger } from '../src/telemetry/logger';
import {
  cardIds,
  DAY,
  HOUR,
  MINUTE,
  type RecallLane,
  type RecallReply,
  startRecallLane,
} from './support/filing';
import { writeCard } from './support/fleet';
import { unheardDecider, unheardFollower } from './support/unheard-decider';

let lane: RecallLane;
let asked: Record<string, unknown>;
let first: RecallReply;

const harbour = { service: 'harbour', operation: 'assign_berth' };
/** Unlike enough not to be folded into one. */
const SHIPS = [
  'Aurora Borealis, copper ore from Valparaiso',
  'Bonaventure, bananas and pineapples',
  'Kittiwake, empty for the dry dock overhaul',
  'Quicksilver, passengers on a midsummer cruise',
  'Hephaestus, liquefied gas under pressure',
  'Windjammer, schoolchildren learning navigation',
  'Zephyrine, frozen mackerel for the auction',
  'Old Mortality, gravel to mend the breakwater',
];
const note = { summary: 'Berth 7 of the harbour is deep enough for tankers.', key: 'berth-7' };
const as = (agent: string) => ({ key: lane.runtimeKey, headers: { 'cairn-agent': agent } });

/** All of an answer but what names the call itself. */
function repeatable({ body }: RecallReply): unknown {
  const { recall_id: _id, took_ms: _took, ...rest } = body;
  return rest;
}

let noteId: string;
let fileId: string;

beforeAll(async () => {
  lane = await startRecallLane();
  const { filing, clock } = lane;
  for (const [index, ship] of SHIPS.entries()) {
    const berth = index + 1;
    clock.advance(3 * HOUR);
    await filing.card({
      ...harbour,
      session: 'night-shift',
      input: { ship, berth },
      ...(berth % 3 === 0
        ? { outcome: 'failed', error: `Error: berth ${berth} is too shallow` }
        : { output: `${ship}: lies at berth ${berth}` }),
    });
  }
  noteId = (await writeCard(lane.api, note, as('scout'))).id;
  fileId = await filing.card({
    service: 'files',
    operation: 'read_file',
    input: { path: '/harbour/tides.txt' },
    output: 'high water at noon',
  });
  clock.advance(DAY);
  const now = clock.text();
  asked = {
    query: 'assign a berth of the harbour to the ship',
    limit: 20,
    budget_tokens: 4000,
    explain: true,
    as_of: now,
    known_at: now,
  };
  first = await lane.recall(asked, { 'cairn-session': 'night-shift' });
  expect(first.status).toBe(200);
  expect(first.body.cards.length).toBeGreaterThan(5);
});
afterAll(() => lane.close());

const again = () => lane.recall(asked, { 'cairn-session': 'night-shift' });

describe('a recall with as_of and known_at', () => {
  it('answers the same twice, but for its id and its time', async () => {
    const second = await again();
    expect(repeatable(second)).toEqual(repeatable(first));
    expect(second.body.recall_id).not.toBe(first.body.recall_id);
  });

  it('answers the same on another day', async () => {
    lane.clock.advance(40 * DAY);
    expect(repeatable(await again())).toEqual(repeatable(first));
  });

  it('answers the same from another process', async () => {
    const { api, clock } = lane;
    const app = await buildApp({
      database: api.database,
      clock: clock.now,
      log: createLogger('silent'),
      secretKey: api.secretKey,
      intake: new Intake({ database: api.database, clock: clock.now, secretKey: api.secretKey }),
      pseudonyms: new Pseudonyms(api.secretKey),
      embedder: () => embedder,
      decider: unheardDecider,
      follower: unheardFollower,
      pokeOutbox: () => undefined,
      readiness: async () => ({ postgres: null, temporal: null, workers: null }),
    });
    const embedder = createHashedEmbedder();
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    try {
      const answer = await fetch(new URL('/v1/recall', url), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${lane.runtimeKey}`,
          'content-type': 'application/json',
          'cairn-agent': 'scout',
          'cairn-session': 'night-shift',
        },
        body: JSON.stringify(asked),
      });
      const body = await answer.json();
      expect(repeatable({ status: answer.status, body })).toEqual(repeatable(first));
    } finally {
      await app.close();
    }
  });

  it('is not changed by later cards, also such as conflict with, resolve or repeat what it showed', async () => {
    const { filing, clock } = lane;
    clock.advance(HOUR);
    await filing.card({ ...harbour, input: { ship: 'ship 3', berth: 3 }, output: 'dredged' });
    await filing.card({
      ...harbour,
      outcome: 'failed',
      input: { ship: 'ship 4', berth: 4 },
      error: 'Error: berth 4 is taken',
    });
    // Reported late: it happened before what was asked about.
    await filing.card({
      ...harbour,
      occurred_at: '2026-03-02T09:00:00Z',
      input: { ship: 'ship 9', berth: 9 },
      output: 'ship 9 lies at berth 9',
    });
    expect(repeatable(await again())).toEqual(repeatable(first));
  });

  it('is not changed by later edits, of words, hints, times and meaning', async () => {
    const { api, clock } = lane;
    clock.advance(MINUTE);
    await edit(noteId, { summary: 'Nothing about ships at all; see the kitchen rota.' });
    await edit(fileId, {
      summary: 'Assign a berth, a berth, a berth of the harbour to the ship.',
      hints: { service: 'harbour', operation: 'assign_berth' },
    });
    const [, worked] = first.body.cards.filter(({ sign }: { sign: string }) => sign === 'worked');
    await edit(worked.id, { valid_from: clock.text(), importance: 10, kind: 'knowledge' });
    const [, failed] = first.body.cards.filter(({ sign }: { sign: string }) => sign === 'failed');
    await edit(failed.id, { valid_to: failed.valid_from, confidence: 0.1 });
    expect(repeatable(await again())).toEqual(repeatable(first));
    // Now, all of that counts.
    const now = await lane.recall({ ...asked, as_of: clock.text(), known_at: clock.text() });
    expect(cardIds(now)).not.toEqual(cardIds(first));
    expect(api.pokes()).toBeGreaterThan(0);
  });

  it('is not changed by a later value of the same key', async () => {
    lane.clock.advance(HOUR);
    await writeCard(lane.api, { ...note, summary: 'Berth 7 is closed.' }, as('scout'));
    expect(repeatable(await again())).toEqual(repeatable(first));
  });

  it('is not changed by uses that are proven later', async () => {
    lane.clock.advance(HOUR);
    const worked = await lane.filing.file({
      ...harbour,
      session: 'night-shift',
      final: true,
      input: { ship: 'ship 1', berth: 1 },
      output: 'done',
    });
    expect(worked.disposition).toBe('carded');
    const [top] = first.body.cards;
    const { body } = await lane.api.call('GET', `/v1/cards/${top.id}`, as('scout'));
    expect(body.use_count).toBe(1);
    expect(repeatable(await again())).toEqual(repeatable(first));
  });

  it('keeps its context version, by which a prompt of then still holds', async () => {
    const reply = await lane.recall({ ...asked, if_context_version: first.body.context_version });
    expect(reply.status).toBe(304);
  });
});

describe('a recall of now', () => {
  it('gives the same context all day, whatever the hour', async () => {
    const { clock } = lane;
    clock.set('2026-06-01T00:00:00Z');
    const now = { query: asked.query, limit: 20 };
    const early = await lane.recall(now);
    for (let call = 1; call <= 4; call += 1) {
      clock.advance(5 * HOUR - MINUTE);
      const later = await lane.recall(now);
      expect(later.body.context).toBe(early.body.context);
      expect(later.body.context_version).toBe(early.body.context_version);
    }
    clock.set('2026-06-02T00:00:00Z');
    const nextDay = await lane.recall(now);
    expect(nextDay.body.context).not.toBe(early.body.context);
  });
});

async function edit(id: string, patch: Record<string, unknown>): Promise<void> {
  const before = await lane.api.call('GET', `/v1/cards/${id}`, {});
  const { status, text } = await lane.api.call('PATCH', `/v1/cards/${id}`, {
    headers: { 'if-match': `"${before.body.version}"` },
    body: patch,
  });
  if (status !== 200) throw new Error(`${status} ${text}`);
}
