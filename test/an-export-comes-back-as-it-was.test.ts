import fc from 'fast-check';
import { startApi, type TestApi } from './support/api';
import { Talk } from './support/conversations';
import { Filing, HOUR, LANE_START, TestClock } from './support/filing';
import { email, githubToken } from './support/secret-strings';
import { NEWSLETTER, ORIGIN } from './support/skills';
import { exportedLines, imported, rowsIn, typeOf } from './support/transfers';

jest.setTimeout(300_000);

/**
 * A workspace is filled by what callers do, leaves as an export, comes into an empty database, and leaves again: the
 * second file says what the first one said.
 */

const SECRET = 'the secret key of two databases of one installation';

/** A workspace that grows, and the last card that was written by hand. */
class World {
  readonly filing: Filing;
  card: string | null = null;
  count = 0;

  constructor(
    readonly api: TestApi,
    readonly clock: TestClock,
  ) {
    this.filing = new Filing({ api, clock });
  }

  async done(
    method: 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    headers = {},
  ) {
    this.clock.advance(HOUR);
    const answer = await this.api.call(method, path, {
      ...(body === undefined ? {} : { body }),
      headers,
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }

  async file(fields: Parameters<Filing['file']>[0]) {
    this.clock.advance(HOUR);
    this.count += 1;
    await this.filing.file({ event_id: `event/${this.count}`, ...fields });
  }
}

/** What a name may hold. */
const label = (words: string) => words.replace(/[^\p{L}\p{N} ]/gu, '').slice(0, 60);

type Step = (world: World, words: string, n: number) => Promise<unknown>;

const AS_SCOUT = { 'cairn-agent': 'scout' };

const STEPS: Record<string, Step> = {
  'a card': async (world, words, n) => {
    const scope =
      n % 2 === 0 ? { type: 'workspace', id: 'default' } : { type: 'agent', id: 'scout' };
    const { body } = await world.done('POST', '/v1/cards', {
      summary: `Card: ${words}`,
      kind: n % 3 === 0 ? 'convention' : 'knowledge',
      scope,
      topic: label(words),
      subject: n % 2 === 0 ? 'ann' : 'ben',
      importance: 1 + (n % 10),
      confidence: (n % 7) / 7,
      hints: { service: 'harbour', keywords: ['quay', `k${n}`] },
      metadata: { said: words, deep: [{ n, ratio: n / 3 }] },
      valid_from: '2026-01-02T03:04:05.678Z',
    });
    world.card = body.id;
  },
  'a correction': async (world, words) => {
    if (world.card === null) return;
    const path = `/v1/cards/${world.card}`;
    const { headers } = await world.api.call('GET', path);
    const read = { 'if-match': headers.get('etag') ?? '' };
    await world.done('PATCH', path, { summary: `Rather: ${words}` }, read);
  },
  'a deletion': async (world) => {
    if (world.card !== null) await world.done('DELETE', `/v1/cards/${world.card}`);
    world.card = null;
  },
  'a note': (world, words, n) =>
    world.done('PUT', `/v1/notes/note-${n % 3}`, { value: `Note: ${words}` }, AS_SCOUT),
  'a validation': async (world) => {
    if (world.card === null) return;
    const path = `/v1/cards/${world.card}/validation`;
    await world.done('POST', path, { verdict: 'success' });
  },
  'a grant': async (world, words, n) => {
    await world.done('PUT', `/v1/agents/guest-${n % 2}`, { parent_agent: 'scout' });
    if (world.card === null) return;
    const path = `/v1/cards/${world.card}/grants/guest-${n % 2}`;
    await world.done('PUT', path, { purpose: words, expires_at: '2030-01-01T00:00:00Z' });
  },
  'a grant to a group': async (world) => {
    await world.done('PUT', '/v1/agents/crewman', {});
    await world.done('PUT', '/v1/agent-groups/crew', { members: ['crewman', 'scout'] });
    if (world.card === null) return;
    await world.done('PUT', `/v1/cards/${world.card}/group-grants/crew`, { purpose: 'the trip' });
  },
  'work that worked': (world, words, n) =>
    world.file({
      service: 'harbour',
      operation: 'pay',
      input: { berth: n % 3, note: words },
      output: { ok: true },
      subject: 'ann',
      session: `trip-${n % 2}`,
      task: 'moor',
      task_type: 'mooring',
      metadata: { words },
    }),
  'work that failed three times': async (world, words, n) => {
    for (let time = 0; time < 3; time += 1) {
      await world.file({
        team: 'red',
        agent: 'mate',
        service: 'harbour',
        operation: 'pay',
        workflow_step: { workflow: 'moor', step: `step-${n % 2}` },
        outcome: 'failed',
        input: { berth: n % 3 },
        error: `Error: ${words} ${email()} ${githubToken()}`,
      });
    }
  },
  'a delegation': (world, _words, n) =>
    world.file({
      kind: 'delegation',
      task_type: 'mooring',
      delegate: { agent: 'mate', cost: n / 7, duration_ms: 1000 + n },
    }),
  'a policy': async (world, _words, n) => {
    const { headers } = await world.api.call('GET', '/v1/policy');
    await world.done(
      'PUT',
      '/v1/policy',
      // The default is 5, and what changes nothing is no version.
      { recall: { limit: 6 + (n % 9) } },
      {
        'if-match': headers.get('etag') ?? '',
      },
    );
  },
  'people and places': async (world, words, n) => {
    await world.done('PUT', '/v1/subjects/ann', { name: label(words), household: 'quay' });
    await world.done('PUT', `/v1/people/ann-${n % 2}`, {
      name: `Ann ${label(words)}`,
      email: email(),
      role: 'member',
      subject: 'ann',
    });
    await world.done('PUT', `/v1/projects/project-${n % 2}`, { name: 'A project' });
    await world.done('PUT', '/v1/sources/service:crane', { stopped: n % 2 === 0, reason: words });
  },
  'a conversation': async ({ api }, words, n) => {
    const talk = new Talk(api, { id: `talk-${n}`, agent: 'scout' });
    await talk.put({ subject: 'ann', project: `project-${n % 2}` });
    await talk.say(['user', `I said: ${words}`], ['assistant', 'Noted for 12.50 EUR.']);
    await talk.summarise(`They said: ${words}`, 1);
  },
  'a skill': async (world, words, n) => {
    const name = `skill-${n % 3}`;
    const found = await world.api.call('GET', `/v1/skills/${name}`);
    if (found.status === 200) return;
    await world.done(
      'POST',
      '/v1/skills',
      {
        ...NEWSLETTER,
        name,
        description: `Skill: ${words}`.slice(0, 200),
        tests: [ORIGIN],
      },
      AS_SCOUT,
    );
  },
  'a recall': async (world, words) => {
    const body = { query: `harbour ${words}` };
    await world.done('POST', '/v1/recall', body, { ...AS_SCOUT, 'cairn-session': 'trip-1' });
  },
};

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 3, maxLength: 80 }),
    fc.constantFrom(
      'Zoë wohnt in Å (NFD: Å), 日本語 too, and العربية',
      'a "quoted" \\ back\tslash and a new\nline \u2028 and 👩‍👩‍👧',
      'plain words about a harbour',
    ),
  )
  .map((words) => `so ${words.replaceAll('\0', '')}`);

const steps = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.keys(STEPS)),
    words: text,
    n: fc.nat({ max: 20 }),
  }),
  { minLength: 8, maxLength: 24 },
);

async function emptyApi(clock: TestClock): Promise<TestApi> {
  clock.set(LANE_START);
  return await startApi({ clock: clock.now, secretKey: SECRET });
}

const summary = (lines: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const line of rowsIn(lines)) counts[typeOf(line)] = (counts[typeOf(line)] ?? 0) + 1;
  return counts;
};

/** On the embedded database a run takes a minute. */
const RUNS = process.env.CAIRN_TEST_DATABASE === 'pglite' ? 1 : 4;

/** What the steps above come to; the rest is held, row by row, by every-table-is-exported-or-says-why. */
const CALLED_FOR = [
  ...['agent', 'agent_group', 'capture', 'card', 'card_grant', 'card_group_grant', 'card_version'],
  ...[
    'competence',
    'competence_observation',
    'conversation',
    'conversation_detail',
    'edge',
    'event',
  ],
  ...['group_member', 'message', 'person', 'policy', 'project', 'proposal', 'reason', 'recall'],
  ...['recall_card', 'run', 'session', 'skill', 'skill_test', 'skill_version', 'source', 'strike'],
  ...['strike_step', 'subject', 'team'],
];

describe('what was exported and imported', () => {
  const types = new Set<string>();

  it('is exported as it was, whatever it was', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (drawn) => {
        const clock = new TestClock(LANE_START);
        const api = await emptyApi(clock);
        const other = await emptyApi(new TestClock(LANE_START));
        try {
          const world = new World(api, clock);
          // One of each first, so that every kind of row is in every file.
          for (const name of Object.keys(STEPS)) {
            if (world.card === null) await STEPS['a card']?.(world, 'once more', 4);
            await STEPS[name]?.(world, `once ${name}`, 4);
          }
          // What comes by chance is done to another card.
          await STEPS['a card']?.(world, 'the next', 4);
          for (const { name, words, n } of drawn) await STEPS[name]?.(world, words, n);
          const first = await exportedLines(api);
          const operation = await imported(other, first);
          expect(operation).toMatchObject({ state: 'completed', type: 'import' });
          expect(operation.result.problems).toEqual([]);
          const second = await exportedLines(other);
          expect(rowsIn(second)).toEqual(rowsIn(first));
          const [manifest, again] = [first, second].map((lines) => JSON.parse(lines[0] ?? '{}'));
          expect(summary(first)).toEqual(
            Object.fromEntries(Object.entries(manifest.counts).filter(([, count]) => count !== 0)),
          );
          expect({ ...again, id: 0, made_at: 0 }).toEqual({ ...manifest, id: 0, made_at: 0 });
          for (const type of Object.keys(summary(first))) types.add(type);
          // Once more it finds all of it there.
          const repeated = await imported(other, first);
          expect(repeated.result).toMatchObject({
            imported: 0,
            skipped: 0,
            known: first.length - 2,
          });
          expect(rowsIn(await exportedLines(other))).toEqual(rowsIn(first));
        } finally {
          await api.close();
          await other.close();
        }
      }),
      { numRuns: RUNS, seed: Number(process.env.CAIRN_TEST_SEED ?? 7), endOnFailure: true },
    );
  });

  it('was of every kind that callers make', () => {
    expect(CALLED_FOR.filter((type) => !types.has(type))).toEqual([]);
  });
});
