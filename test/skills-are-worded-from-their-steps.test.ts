import { createOpenAiSkillWriter } from '../src/models/openai-skill-writer';
import type { ToldStep } from '../src/models/trace';
import { type FakeProvider, startFakeProvider } from './support/fake-provider';
import { SKILL, traceStep } from './support/model-ports';

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const TRACE = [
  traceStep({ n: 1 }),
  traceStep({
    n: 2,
    operation: 'update_order',
    outcome: 'failed',
    summary: 'Changed order 17.',
    error: '409 the version has moved on',
  }),
  traceStep({ n: 3, operation: 'update_order', summary: 'Changed order 17 with version 4.' }),
];
const signal = new AbortController().signal;

const writer = (answer: unknown) => {
  provider.script({ says: JSON.stringify(answer) });
  const options = { apiKey: 'none', baseUrl: provider.baseUrl, model: 'large' };
  return createOpenAiSkillWriter({ ...options, clock: () => new Date() });
};
const written = async (fields: Record<string, unknown> = {}, trace: ToldStep[] = TRACE) => {
  const answer = { ...SKILL, description: 'Changes an open order.', ...fields };
  const { usage, ...skill } = await writer(answer).write(trace, signal);
  return skill;
};
const question = () => provider.requests[0]?.body.messages?.[1]?.content ?? '';

describe('a skill', () => {
  it('makes the calls of the steps that it cites, whatever the model calls them', async () => {
    const steps = [
      { text: 'Read the order first.', source: 1, service: 'bank', operation: 'send_money' },
      { text: 'Change it with its version.', source: '3' },
      { text: 'Tell the customer about it.', source: null },
      { text: 'Check what came of it.', source: 99 },
      'Close the request.',
    ];
    expect((await written({ steps })).steps).toEqual([
      { text: 'Read the order first.', service: 'orders', operation: 'get_order' },
      { text: 'Change it with its version.', service: 'orders', operation: 'update_order' },
      { text: 'Tell the customer about it.' },
      { text: 'Check what came of it.' },
      { text: 'Close the request.' },
    ]);
  });

  it.each([
    ['Change an Order!', 'change-an-order'],
    ['  --Échange  d’ordre_2-- ', 'echange-d-ordre-2'],
    ['../../etc/passwd', 'etc-passwd'],
    ['x'.repeat(200), 'x'.repeat(64)],
  ])('is named %p as %p', async (said, name) => {
    expect((await written({ name: said })).name).toBe(name);
  });

  it.each([
    ['a name', { name: '订单' }],
    ['a purpose', { purpose: '' }],
    ['a step', { steps: [] }],
    ['a step that says anything', { steps: [{ text: 'x', source: 1 }, 7] }],
    ['a description', { description: null }],
  ])('is none without %s', async (_, fields) => {
    await expect(written(fields)).rejects.toMatchObject({ type: 'model_invalid_output' });
    expect(provider.requests).toHaveLength(2);
  });

  it('does without what it can do without', async () => {
    const fields = { preconditions: undefined, failure_handling: 'none', causes: [null, {}] };
    expect(await written(fields)).toMatchObject({
      preconditions: [],
      failure_handling: [],
      causes: [],
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('says which step its failures come from', async () => {
    const [first] = SKILL.failure_handling;
    const failure_handling = [first, { ...first, source: 8 }, { when: 'The version moved on.' }];
    expect((await written({ failure_handling })).failure_handling).toEqual([
      first,
      { ...first, source: null },
    ]);
  });

  it('is written from the steps with their outcomes and errors, of a long task from its two ends', async () => {
    await written();
    expect(question()).toContain(
      '[2] (orders.update_order, failed) Changed order 17. Error: 409 the version has moved on',
    );
    const summary = 'Read an order. '.repeat(100);
    const long = Array.from({ length: 500 }, (_, n) => traceStep({ n, summary }));
    await written({}, long);
    expect(question()).toContain('[0] (');
    expect(question()).toContain('[499] (');
    expect(question()).toContain('… 440 steps left out …');
    expect(question().length).toBeLessThan(32_000);
  });
});

describe('novelty', () => {
  const scored = async (answer: object, known: string[] = []) => {
    const { usage, ...found } = await writer(answer).score(TRACE, known, signal);
    return found;
  };

  it.each([
    [
      { novelty: 8, reason_code: 'recovery' },
      { novelty: 8, reason_code: 'recovery' },
    ],
    [
      { novelty: '7', reason_code: 'new_service' },
      { novelty: 7, reason_code: 'new_service' },
    ],
    [{ novelty: 6.6 }, { novelty: 7 }],
    [{ novelty: 1, reason_code: 'Because order 17 was changed' }, { novelty: 1 }],
  ])('of %p is %p: a code or none, since a history keeps it', async (answer, found) => {
    expect(await scored(answer)).toEqual(found);
  });

  it.each([0, 11, 'high', null, Number.NaN])('is not %p', async (novelty) => {
    await expect(scored({ novelty })).rejects.toMatchObject({ type: 'model_invalid_output' });
  });

  it('is judged beside the skills that are known', async () => {
    await scored({ novelty: 2 }, ['change-an-order', 'refund-an-order']);
    expect(question()).toContain(
      '<<<BEGIN KNOWN SKILLS\nchange-an-order\nrefund-an-order\nEND KNOWN SKILLS>>>',
    );
  });
});
