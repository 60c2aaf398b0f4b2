import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Program } from './support/program';

jest.setTimeout(240_000);

const run = promisify(execFile);

let dataDir: string;
let program: Program;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-otel-'));
  program = await Program.start(dataDir);
});
afterAll(async () => {
  if (program !== undefined) await program.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

test('the quickstart by curl does what its page says, word for word', async () => {
  const page = readFileSync(join(__dirname, '..', 'docs', 'opentelemetry.md'), 'utf8');
  const [settings = '', send = '', recall = ''] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block]) => block ?? '',
  );
  const mine = settings
    .replace('http://127.0.0.1:4747', program.runtime.url)
    .replace('<the key that npm start printed>', program.ownerKey);
  const shell = async (block: string) =>
    (await run('bash', ['-ec', `${mine}\n${block}`], { maxBuffer: 1024 * 1024 })).stdout;

  const sent = await shell(send);
  expect(sent).toMatch(/^HTTP\/1\.1 200/);
  expect(sent.trim()).toMatch(/\{\}$/);
  const [, header] = /`Cairn-Spans: ([^`]+)`/.exec(page) ?? [];
  expect(sent.toLowerCase()).toContain(`cairn-spans: ${header}`);

  const answer = JSON.parse(await shell(recall));
  expect(answer.cards[0]).toMatchObject({
    kind: 'constraint',
    sign: 'failed',
    hints: { service: 'extension', operation: 'send_bulk' },
    scope: { type: 'agent', id: 'herald' },
  });
  expect(answer.context).toContain('at most 500 recipients a call');
});

test('a traced task leaves cards that fit what was done, and ends with its first agent', async () => {
  const at = `${Math.floor(Date.now() / 1000)}000000000`;
  const value = (text: string) => ({ stringValue: text });
  const span = (spanId: string, parentSpanId: string, attributes: Record<string, string>) => ({
    traceId: 'ab'.repeat(16),
    ...{ spanId, parentSpanId, name: 'x', endTimeUnixNano: at, status: {} },
    attributes: Object.entries(attributes).map(([key, text]) => ({ key, value: value(text) })),
  });
  const said = (role: string, content: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);
  const spans = [
    span('11'.repeat(8), '33'.repeat(8), {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'get_forecast',
      'gen_ai.tool.call.arguments': '{"city":"Bergen"}',
      'gen_ai.tool.call.result': '{"forecast":"rain until Friday"}',
    }),
    span('22'.repeat(8), '33'.repeat(8), {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Fare Finder',
      'gen_ai.input.messages': said('user', 'Find the cheapest fare to Bergen'),
      'gen_ai.output.messages': said('assistant', 'Found it: 490 on the night train'),
    }),
    span('33'.repeat(8), '', {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Trip Planner',
      'gen_ai.conversation.id': 'trip-7',
      'gen_ai.input.messages': said('user', 'Plan a trip to Bergen'),
      'gen_ai.output.messages': said('assistant', 'Planned: night train, umbrella'),
    }),
  ];
  const sent = await program.call('POST', '/v1/otel/v1/traces', {
    resourceSpans: [{ scopeSpans: [{ scope: { name: 'trips' }, spans }] }],
  });
  expect(sent).toEqual({ status: 200, body: {} });
  const ids = ['11', '22', '33'].map((n) => `otel:${'ab'.repeat(16)}.${n.repeat(8)}`);
  const cards: Record<string, unknown>[] = [];
  for (const id of ids) {
    let record = (await program.call('GET', `/v1/events/${encodeURIComponent(id)}`)).body;
    for (let tries = 0; record.disposition === 'pending' && tries < 200; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      record = (await program.call('GET', `/v1/events/${encodeURIComponent(id)}`)).body;
    }
    expect(record).toMatchObject({ disposition: 'carded' });
    cards.push((await program.call('GET', `/v1/cards/${record.card_id}`)).body);
  }
  expect(cards.map(({ kind, sign }) => [kind, sign])).toEqual([
    ['experience', 'worked'],
    ['delegation', 'worked'],
    ['experience', 'worked'],
  ]);
  const [forecast, fare, trip] = cards.map(({ summary }) => String(summary));
  expect(forecast).toMatch(/get_forecast|forecast/i);
  expect(fare).toContain('Fare-Finder');
  expect(trip).toMatch(/trip/i);
  expect(cards.map(({ scope }) => (scope as { id: string }).id)).toEqual([
    ...['Trip-Planner', 'Trip-Planner', 'Trip-Planner'],
  ]);
  const competence = await program.call('GET', '/v1/competence?agent=Fare-Finder');
  expect(competence.body).toMatchObject({ total: 1 });
});
