import { addModelUse } from '../src/store/model-usage';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.owner.cards.create({
    ...{ summary: 'Mail at most 500 at once.', hints: { service: 'mailer' } },
    scope: { type: 'workspace', id: 'default' },
  });
  await api.database.inWorkspace('default', async (tx) => {
    const use = { activity: 'distillByModel', model: 'small', calls: 3 };
    await addModelUse(tx, { ...use, inputTokens: 1_234, outputTokens: 56 }, new Date());
  });
});
afterAll(() => api.close());

const cairn = (...args: string[]) =>
  runCommand(args, { CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey });

it('says what came, what waits, how good memory is and what models cost', async () => {
  const { code, out } = await cairn('overview', '--days', '3');
  expect(code).toBe(0);
  expect(out).toMatch(/models +3 calls, 1,234 tokens in, 56 out/);
  expect(out).toMatch(/waiting +0 captures\n/);
  expect(out).toMatch(/cards +1\n/);
  expect(out).toMatch(/never recalled +1 \(100\.0 %\)/);
  const { out: json } = await cairn('overview', '--json');
  expect(JSON.parse(json)).toMatchObject({ bucket: 'P1D', cost: { totals: { calls: 3 } } });
});

it('says by which models', async () => {
  expect((await cairn('models')).out).toBe(
    [
      'cards are worded by    rules',
      'notes and skills by    rules',
      'found by               words; the embedder is loading',
      'being replaced by run  –\n',
    ].join('\n'),
  );
});

it('is the same by the client', async () => {
  const { quality } = await api.owner.overview({ days: 1 });
  expect(quality.cards).toBe(1);
  expect((await api.owner.models()).embedder.state).toBe('loading');
  const { total, facets } = await api.owner.cards.facets({ kind: ['knowledge', 'insight'] });
  expect({ total, services: facets.service }).toEqual({
    total: 1,
    services: [{ value: 'mailer', count: 1 }],
  });
  const [scope] = facets.scope;
  expect((await api.owner.cards.list({ scope: scope?.value ?? '' })).total).toBe(1);
  expect((await cairn('cards', '--scope', 'team/nobody')).out).toMatch(/^No card/);
});
