import { Insights, OVERTIME } from './support/insights';
import { setPolicy } from './support/upkeep';
import { bodyOf, startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver';
import { WebhookLane } from './support/webhooks';

let lane: WebhookLane;
let receiver: WebhookReceiver;
let scout: Insights;
beforeAll(async () => {
  lane = await WebhookLane.start();
  receiver = await startWebhookReceiver();
  await lane.allowPrivate(true);
  await lane.put('inbox', receiver.url, ['insight.urgent']);
  await lane.put('others', receiver.url, ['run.failed']);
  const runtime = await lane.api.keyFor({ kind: 'runtime', id: 'harness' });
  scout = new Insights(lane.api).as(runtime).for('scout');
  lane.send();
});
afterAll(async () => {
  await lane.close();
  await receiver.close();
});

const above = (urgent_above: number) => setPolicy(lane, { insights: { urgent_above } });

it('one above the bound is told once, by ids and score alone', async () => {
  await above(40);
  const headers = { 'idempotency-key': 'once' };
  const saved = await scout.post('', OVERTIME, headers);
  expect((await scout.post('', OVERTIME, headers)).status).toBe(201);
  lane.poke();
  const [told] = await receiver.arrived(1);
  const { id, card_id, urgency } = saved.body;
  expect(told === undefined ? null : bodyOf(told)).toMatchObject({
    type: 'insight.urgent',
    workspace: 'default',
    data: { insight_id: id, card_id, score: urgency.score },
  });
  expect(Object.keys(bodyOf(told as never).data).sort()).toEqual([
    'card_id',
    'insight_id',
    'score',
  ]);
  expect(await lane.deliveries('inbox')).toHaveLength(1);
  expect(await lane.deliveries('others')).toHaveLength(0);
});

it('one at the bound, or below it, is told to nobody', async () => {
  const before = (await lane.deliveries('inbox')).length;
  const { urgency } = await scout.saved();
  await above(urgency.score);
  await scout.saved();
  await above(70);
  await scout.saved();
  // That of the first look, whose bound was still lower.
  expect(await lane.deliveries('inbox')).toHaveLength(before + 1);
});

it('one that is refused is told to nobody', async () => {
  await above(0);
  const before = (await lane.deliveries('inbox')).length;
  const refused = await scout.post('', { ...OVERTIME, metrics: [{ name: 'nowhere' }] });
  expect(refused.status).toBe(400);
  expect(await lane.deliveries('inbox')).toHaveLength(before);
});
