import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mcpMemoryEntries } from '../src/cli/import/mcp-memory';
import { mem0Entries } from '../src/cli/import/mem0';
import type { Card } from '../src/contracts/card';
import type { SettledEvent } from '../src/contracts/event';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { Filing, LANE_START, TestClock } from './support/filing';

const SAMPLES = join(__dirname, '..', 'samples');
const MEM0 = join(SAMPLES, 'mem0.json');
const MCP = join(SAMPLES, 'mcp-memory.jsonl');
const FILE = { agent: 'imported', at: '2026-03-02T08:00:00.000Z' };

const opened: TestApi[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
});

/** Imports by the command, and makes the cards of what was taken as the capture workflow does. */
class Importing {
  private constructor(
    readonly api: TestApi,
    private readonly filing: Filing,
  ) {}

  static async start(): Promise<Importing> {
    const api = await startApi();
    opened.push(api);
    return new Importing(api, new Filing({ api, clock: new TestClock(LANE_START) }));
  }

  async run(...words: string[]) {
    const { api } = this;
    const options = { CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
    const { out } = await runCommand(['import', ...words, '--json', '--no-wait'], options);
    return { json: JSON.parse(out) };
  }

  async cards(): Promise<(Card & { scope: { id: string } })[]> {
    const { items } = (await this.api.call('GET', '/v1/events?limit=500&disposition=pending')).body;
    for (const { event_id, operation_id } of items) {
      await this.filing.capture({ workspace: 'default', event_id, operation_id });
    }
    const { body } = await this.api.call('GET', '/v1/cards?limit=500');
    return body.items;
  }
}

async function entriesOf(
  make: typeof mem0Entries,
  text: string,
): Promise<{ line: number; event?: SettledEvent; code?: string }[]> {
  const chunks = async function* () {
    yield text;
  };
  const found = [];
  for await (const entry of make(chunks(), FILE)) found.push(entry);
  return found;
}

describe('memories of mem0', () => {
  it('become cards once, with whom they are about, where they come from, and what is wrong named', async () => {
    const importing = await Importing.start();
    const first = await importing.run('--from', 'mem0', MEM0);
    expect(first.json).toMatchObject({
      ...{ lines: 6, accepted: 4, duplicates: 1, refused: 1 },
      refused_by_code: { not_a_memory: 1 },
      problems: [{ line: 4, code: 'not_a_memory' }],
    });
    const cards = await importing.cards();
    const saying = (words: string) => cards.filter(({ summary }) => summary.includes(words));
    expect(saying('quiet table')).toMatchObject([
      {
        ...{ kind: 'knowledge', subject: 'guest-17', trust: 'runtime' },
        ...{ scope: { type: 'agent', id: 'concierge' }, valid_from: '2026-01-12T17:14:03.118Z' },
        metadata: {
          ...{ imported_from: 'mem0', channel: 'phone', categories: ['preferences'] },
          mem0_id: '6f0d1c1e-6a51-4b39-9f0e-2f4f6a3c8d01',
        },
        provenance: { event_id: expect.stringMatching(/^mem0:[0-9a-f]{32}$/) },
      },
    ]);
    expect(saying('hazelnuts')).toMatchObject([
      { session: 'visit-3', valid_from: '2026-01-12T17:20:44.001Z' },
    ]);
    expect(saying('travels with')).toMatchObject([{ scope: { id: 'imported' } }]);
    const told = cards.find(({ subject }) => subject === 'guest-18');
    expect([told?.flags, told?.status]).toEqual([['instruction_like'], expect.any(String)]);

    const again = await importing.run('--from', 'mem0', MEM0);
    expect(again.json).toMatchObject({ accepted: 0, duplicates: 5, refused: 1 });
    expect(await importing.cards()).toHaveLength(cards.length);
  });

  it('are read as a list, as pages of it, and one a line', async () => {
    const memories = JSON.parse(readFileSync(MEM0, 'utf8')).results;
    const forms = [
      JSON.stringify(memories),
      JSON.stringify({ count: 5, next: null, results: memories }),
      JSON.stringify([{ results: memories.slice(0, 2) }, { results: memories.slice(2) }]),
      JSON.stringify({ memories }),
      memories.map((memory: object) => JSON.stringify(memory)).join('\n'),
    ];
    const [first, ...others] = await Promise.all(forms.map((text) => entriesOf(mem0Entries, text)));
    expect(first?.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5]);
    for (const other of others) expect(other).toEqual(first);
  });

  it('with something else in between are read all the same', async () => {
    const found = await entriesOf(
      mem0Entries,
      '{"memory":"one"}\nnonsense\n[]\n7\n{"memory":"two"}',
    );
    expect(found.map(({ line, code }) => [line, code])).toEqual([
      [1, undefined],
      [2, 'not_json'],
      [3, 'not_a_memory'],
      [4, undefined],
    ]);
  });

  it('are of whom they say, by text or number, and named where nobody can tell', async () => {
    const memory = (fields: object) => JSON.stringify({ memory: 'Rows.', ...fields });
    const found = await entriesOf(
      mem0Entries,
      [
        memory({ user_id: 12345, agent_id: 9, run_id: 7, created_at: 1752561723 }),
        memory({ user_id: null, created_at: 1752561723000, expiration_date: '2999-01-01' }),
        memory({ user_id: { a: 1 } }),
        memory({ agent_id: ['x'] }),
        memory({ run_id: 1.5 }),
        memory({ created_at: 'yesterday' }),
        memory({ expiration_date: '2020-01-01' }),
      ].join('\n'),
    );
    expect(found.slice(0, 2)).toMatchObject([
      {
        event: {
          ...{ subject: '12345', agent: '9', session: '7' },
          occurred_at: '2025-07-15T06:42:03.000Z',
        },
      },
      { event: { agent: 'imported', occurred_at: '2025-07-15T06:42:03.000Z' } },
    ]);
    expect(found[1]?.event).not.toHaveProperty('subject');
    expect(found.slice(2).map(({ code }) => code)).toEqual(Array(5).fill('not_a_memory'));
  });
});

describe('the file of the memory server of MCP', () => {
  it('says of an entity what there is, and names those of which it can say nothing', async () => {
    const entity = (fields: object) => JSON.stringify({ type: 'entity', name: 'Quay', ...fields });
    const found = await entriesOf(
      mcpMemoryEntries,
      [
        entity({ entityType: 'place', observations: [] }),
        entity({ entityType: 'place', observations: 'a text and no list' }),
        entity({ entityType: '', observations: [] }),
        entity({}),
      ].join('\n'),
    );
    expect(found.map(({ line, code }) => [line, code])).toEqual([
      [1, undefined],
      [2, 'not_a_memory'],
      [3, 'not_a_memory'],
      [4, 'not_a_memory'],
    ]);
  });

  it('becomes a card an observation and a relation, and bad lines are named', async () => {
    const importing = await Importing.start();
    const first = await importing.run('--from', 'mcp-memory', MCP, '--agent', 'desk');
    expect(first.json).toMatchObject({
      ...{ accepted: 6, duplicates: 0, refused: 2 },
      problems: [
        { line: 5, code: 'not_json' },
        { line: 6, code: 'not_a_memory' },
      ],
    });
    const cards = await importing.cards();
    expect(cards.map(({ summary }) => summary).sort()).toEqual([
      expect.stringContaining('Harbour Inn (hotel): Breakfast ends at ten'),
      expect.stringContaining('Harbour Inn (hotel): Has twelve rooms'),
      expect.stringContaining('Mara Lind (person): Prefers to be called'),
      expect.stringContaining('Mara Lind (person): Speaks Norwegian'),
      expect.stringContaining('Mara Lind works at Harbour Inn'),
      expect.stringContaining('Night desk is of the kind team'),
    ]);
    for (const { scope, kind, metadata } of cards) {
      expect({ scope, kind }).toEqual({ scope: { type: 'agent', id: 'desk' }, kind: 'knowledge' });
      expect(metadata).toMatchObject({ imported_from: 'mcp-memory' });
    }
    // The server writes its file anew with each change: what is in it still is known, whatever its time.
    const again = await importing.run('--from', 'mcp-memory', MCP, '--agent', 'desk');
    expect(again.json).toMatchObject({ accepted: 0, duplicates: 6, refused: 2 });
    expect(await importing.cards()).toHaveLength(6);
  });

  it('has ids that say what it holds, whenever it was read', async () => {
    const text = readFileSync(MCP, 'utf8');
    const ids = async (at: string) => {
      const chunks = async function* () {
        yield text;
      };
      const found: string[] = [];
      for await (const entry of mcpMemoryEntries(chunks(), { agent: 'desk', at })) {
        if ('event' in entry) found.push(entry.event.event_id);
      }
      return found;
    };
    const first = await ids('2026-01-01T00:00:00Z');
    expect(await ids('2026-02-02T00:00:00Z')).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });
});
