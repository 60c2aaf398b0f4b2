import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createRedistillActivities } from '../src/activities/redistill';
import { distill } from '../src/domain/distill/distill';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { startApi, type TestApi } from './support/api';
import { failedCall } from './support/distilling';
import { Filing, HOUR, TestClock } from './support/filing';

const WORDS =
  'Asked slack for the members of a zeppelin channel. It failed because no such channel exists. Look the channel up first.';

let api: TestApi;
let filing: Filing;
const clock = new TestClock('2026-03-02T12:00:00Z');
const embedder = createHashedEmbedder();
beforeAll(async () => {
  api = await startApi({ clock: clock.now, embedder });
  filing = new Filing({ api, clock, embedder });
});
afterAll(() => api.close());

/** The card of one event, an hour later with the words of a model. */
async function rewritten(event_id: string, lessonFrom: string[]): Promise<string> {
  const event = failedCall({
    event_id,
    input: { channel: event_id },
    occurred_at: clock.text(),
    error: `ValueError: ${event_id} not found in the channels list`,
  });
  const id = await filing.card(event);
  clock.advance(HOUR);
  const draft = {
    ...distill(event, []),
    summary: WORDS,
    topic: 'zeppelin channel',
    keywords: ['zeppelin'],
    importance: 7,
    derived_from: lessonFrom,
    distilled_by: 'model',
    model: 'small',
    prompt_version: 'distill-1',
  };
  await api.database.inWorkspace('default', async (tx) => {
    await tx.query('UPDATE captures SET needs_distill = true WHERE event_id = $1', [event_id]);
    await tx.query(
      `INSERT INTO capture_drafts (workspace_id, event_id, draft, created_at) VALUES ($1, $2, $3, $4)`,
      ['default', event_id, JSON.stringify(draft), clock.now()],
    );
  });
  const activities = createRedistillActivities({
    database: api.database,
    clock: clock.now,
    embedder,
  });
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: 'redistill/default/late', runId: randomUUID() },
  });
  const card = { workspace: 'default', event_id, card_id: id, version: 1 };
  expect(await environment.run(activities.rewriteCard, card)).toMatchObject({
    outcome: 'rewritten',
  });
  // A commit that its worker never heard of is done once.
  expect(await environment.run(activities.rewriteCard, card)).toEqual({
    outcome: 'rewritten',
    linked: 0,
  });
  return id;
}

it('the card, its history, its lineage and the audit tell of it', async () => {
  const warning = await filing.card(
    failedCall({ event_id: 'earlier', input: { channel: 'earlier' }, occurred_at: clock.text() }),
  );
  clock.advance(HOUR);
  const id = await rewritten('later', [warning]);

  const { body: card } = await api.call('GET', `/v1/cards/${id}`);
  expect(card).toMatchObject({
    summary: WORDS,
    version: 2,
    importance: 7,
    kind: 'constraint',
    sign: 'failed',
    provenance: { distilled_by: 'model', model: 'small', workflow_id: 'redistill/default/late' },
  });
  const { body: history } = await api.call('GET', `/v1/cards/${id}/history`);
  expect(history.items[1]).toMatchObject({
    version: 2,
    action: 'redistilled',
    actor: { kind: 'system', id: 'redistill' },
    after: { summary: WORDS },
  });
  expect(history.items[1].before.summary).not.toBe(WORDS);
  const { body: lineage } = await api.call('GET', `/v1/cards/${id}/lineage`);
  expect(lineage.sources.map((source: { id: string }) => source.id)).toEqual([warning]);
  const { body: audit } = await api.call('GET', '/v1/audit?action=card.redistilled');
  expect(audit.items[0]).toMatchObject({
    actor: { kind: 'system', id: 'redistill' },
    target: { type: 'card', id },
    versions: [1, 2],
  });
});

it('a recall finds the new words, and as of then the old ones', async () => {
  const before = clock.text();
  const id = await rewritten('found', []);
  const recall = async (body: object) =>
    (await api.call('POST', '/v1/recall', { body: { query: 'zeppelin channel', ...body } })).body;
  const found = (await recall({})).cards.find((card: { id: string }) => card.id === id);
  expect(found).toMatchObject({ summary: WORDS, version: 2 });
  clock.advance(1_000);
  const past = (
    await recall({ query: 'get users in channel found', known_at: before, limit: 20 })
  ).cards.find((card: { id: string }) => card.id === id);
  expect(past?.summary ?? '').not.toContain('zeppelin');
});
