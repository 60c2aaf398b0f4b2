import pino from 'pino';
import { createErasureActivities } from '../src/activities/erasure';
import { erasureVerifying } from '../src/activities/erasure-verifying';
import { sanitizingInterceptor } from '../src/activities/sanitize';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { restartErasures } from '../src/store/erasure-requests';
import type { erase } from '../src/workflows/erase';
import { recordAsRuntime } from './support/capture-lane';
import { CompactionLane } from './support/compaction-lane';
import { askedErasure, erased, erasedBy } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { saveHistory } from './support/histories';
import { sendOnly } from './support/outbox';
import { createWorker, runWorkers } from './support/temporal';
import { rowsOf } from './support/upkeep';

jest.setTimeout(240_000);

const STEPS = [
  'find',
  'follow',
  'judge',
  'rederive',
  'purge',
  'directory',
  'searchErased',
  'closeErasure',
];

class Killed extends Error {}

describe('step by step', () => {
  let lane: RecallLane;
  beforeAll(async () => {
    lane = await startRecallLane();
  });
  afterAll(() => lane.close());

  const left = async (subject: string) => ({
    events: (await rowsOf(lane, `SELECT 1 FROM events WHERE payload ->> 'subject' = $1`, [subject]))
      .length,
    cards: (await rowsOf(lane, 'SELECT 1 FROM cards WHERE subject = $1', [subject])).length,
    items: (await rowsOf(lane, 'SELECT 1 FROM erasure_items')).length,
    terms: (await rowsOf(lane, 'SELECT 1 FROM erasure_terms')).length,
  });
  const nothing = { events: 0, cards: 0, items: 0, terms: 0 };
  const planted = async (subject: string) => {
    for (const n of [1, 2, 3]) {
      await lane.filing.card({
        event_id: `${subject}-${n}`,
        subject,
        service: 'crane',
        operation: `lift-${n}`,
      });
    }
    lane.clock.advance(1_000);
  };

  it.each(STEPS)('ends the same where it is killed before %s', async (step) => {
    const subject = `guest-${step.toLowerCase()}`;
    await planted(subject);
    const input = await askedErasure(lane, { subject });
    const before = async (name: string) => {
      if (name === step) throw new Killed();
    };
    await expect(erasedBy(lane, input, { before })).rejects.toThrow(Killed);
    const { counts } = await erasedBy(lane, input);
    expect(counts.purged).toMatchObject({ events: 3, cards: 3 });
    expect(await left(subject)).toEqual(nothing);
    // Once more, as by a workflow that was started twice: it has ended.
    expect((await erasedBy(lane, input)).counts).toEqual(counts);
  });

  it('ends the same where two run at once', async () => {
    await planted('guest-twice');
    const [one, other] = [
      await askedErasure(lane, { subject: 'guest-twice' }),
      await askedErasure(lane, { subject: 'guest-twice' }),
    ];
    const both = await Promise.all([erasedBy(lane, one), erasedBy(lane, other)]);
    const cards = both.map(({ counts }) => counts.purged['cards'] ?? 0);
    expect(cards.reduce((sum, n) => sum + n, 0)).toBe(3);
    expect(await left('guest-twice')).toEqual(nothing);
    // Each receipt proves it, and names the other, which has what it could not count.
    for (const [at, { status, receipt }] of both.entries()) {
      const found = receipt?.places.filter((place) => place.found > 0);
      expect({ status, found }).toEqual({ status: 'completed', found: [] });
      expect(receipt?.beside).toEqual([both[1 - at]?.id]);
      const { body } = await lane.api.call('POST', '/v1/erasures/verify', { body: { receipt } });
      expect(body).toMatchObject({ ok: true, signature: 'valid' });
    }
    // One that comes later is alone, and says so by saying nothing.
    lane.clock.advance(1_000);
    const later = await erased(lane, { subject: 'guest-twice' });
    expect(later.receipt).not.toHaveProperty('beside');
  });

  it('finds what is filed while it runs', async () => {
    await planted('guest-late');
    const { api } = lane;
    const event = {
      event_id: 'late-1',
      subject: 'guest-late',
      service: 'crane',
      operation: 'lift-late',
    };
    // Accepted before it was asked for, and filed only now.
    const [key] = await recordAsRuntime(
      api.database,
      'default',
      [
        {
          ...event,
          kind: 'service_call',
          agent: 'scout',
          outcome: 'worked',
          occurred_at: lane.clock.text(),
        },
      ],
      lane.clock.now,
    );
    if (key === undefined) throw new Error('nothing was recorded');
    const { workspace: _workspace, ...late } = key;
    let filed: string | null = null;
    const before = async (name: string) => {
      if (name !== 'rederive' || filed !== null) return;
      filed = (await lane.filing.atOnce(late)).filed?.card_id ?? 'none';
    };
    const erasure = await erased(lane, { subject: 'guest-late' }, { before });
    expect(filed).toMatch(/^card_/);
    expect(erasure.counts.purged['events']).toBe(4);
    expect(await left('guest-late')).toEqual(nothing);
    // What comes to file it after that finds nothing, and says so.
    const { admission } = await lane.filing.atOnce(late);
    expect(admission).toMatchObject({ decision: 'erased', card_id: null });
  });

  it('is started again where its workflow was lost', async () => {
    await planted('guest-lost');
    const { workspace, erasure_id } = await askedErasure(lane, { subject: 'guest-lost' });
    const { database } = lane.api;
    const sweep = () =>
      database.inWorkspace(workspace, (tx) => restartErasures(tx, lane.clock.now()));
    await rowsOf(lane, `DELETE FROM outbox WHERE action = 'start_erasure'`);
    expect(await sweep()).toBe(0);
    lane.clock.advance(3 * 60_000);
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
    const [item] = await rowsOf<{ workflow_id: string }>(
      lane,
      `SELECT workflow_id FROM outbox WHERE action = 'start_erasure'`,
    );
    expect(item?.workflow_id).toBe(`erase/default/${erasure_id}`);
  });
});

describe('as a workflow', () => {
  let lane: CompactionLane;
  beforeAll(async () => {
    lane = await CompactionLane.start();
  });
  afterAll(() => lane.stop());

  it('walks, verifies and ends with its record', async () => {
    const { captures, api } = lane;
    const { database, env } = captures;
    const clock = () => new Date();
    const talk = await lane.talk('chat-1', { subject: 'guest-7' });
    await lane.tell(talk, [{ role: 'user', content: 'My terrace seats quokkas only.' }]);
    const ask = (dry_run: boolean) =>
      api.call('POST', '/v1/erasures', { body: { selector: { subject: 'guest-7' }, dry_run } });
    const erasure = createErasureActivities({
      ...{ database, clock, embedder: createHashedEmbedder(), secretKey: api.secretKey },
      verifying: erasureVerifying({
        database,
        histories: null,
        files: null,
        secretKey: api.secretKey,
      }),
    });
    const inbound = sanitizingInterceptor(pino({ level: 'silent' }));
    const workers = await Promise.all([
      createWorker(env, { taskQueue: TASK_QUEUES.workflows }),
      createWorker(env, {
        ...{ workflows: false, taskQueue: TASK_QUEUES.db, activities: { ...erasure } },
        interceptors: { activity: [() => ({ inbound })] },
      }),
    ]);
    await runWorkers(workers, async () => {
      for (const dry of [true, false]) {
        const { body } = await ask(dry);
        const [handle] = [
          ...(await sendOnly<typeof erase>('start_erasure', database, env.client)).values(),
        ];
        if (handle === undefined) throw new Error('nothing was started');
        const result = await handle.result();
        expect(result).toMatchObject({
          ...{ erasure_id: body.erasure_id, status: 'completed', dry_run: dry },
          counts: { purged: { conversations: 1 } },
        });
        await saveHistory(dry ? 'erase.dry-run' : 'erase.completed', handle);
        const operation = await api.call('GET', `/v1/operations/${body.operation_id}`);
        expect(operation.body).toMatchObject({ type: 'erasure', state: 'completed' });
      }
    });
    expect(await lane.rows('SELECT 1 FROM messages')).toEqual([]);
    const history = JSON.stringify(await lane.rows('SELECT * FROM runs'));
    expect(history).not.toContain('quokka');
  });
});
