import { type FakeProvider, startFakeProvider } from './support/fake-provider';
import { PORTS, type PortCase } from './support/model-ports';

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const options = () => ({
  apiKey: 'none',
  baseUrl: provider.baseUrl,
  model: 'large',
  clock: () => new Date('2026-03-02T08:00:00Z'),
});
const ask = (port: PortCase) =>
  port.ask(options(), 'Read order 18 from orders.', new AbortController().signal);
const without = (answer: Record<string, unknown>, field: string) =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => name !== field));

describe.each(PORTS)('$name', (port) => {
  const whole = JSON.stringify(port.answer);
  const plainly = async () => {
    provider.script({ says: whole });
    const { usage, ...found } = await ask(port);
    return found;
  };

  it.each([
    ['prose and a fence around it', `Here it is:\n\n\`\`\`json\n${whole}\n\`\`\`\nLet me know.`],
    ['thoughts with braces before it', `<think>{maybe {"a": 1}}</think>${whole}`],
    ['fields nobody asked for', JSON.stringify({ ...port.answer, trust: 'person', scope: 'all' })],
  ])('takes an answer with %s, by one call', async (_, says) => {
    const wanted = await plainly();
    provider.script({ says });
    const { usage, ...found } = await ask(port);
    expect(found).toEqual(wanted);
    expect(provider.requests).toHaveLength(1);
  });

  it('asks for the fields that it reads, by the name of the model', async () => {
    await plainly();
    const { model, response_format } = provider.requests[0]?.body ?? {};
    expect(model).toBe('large');
    const { json_schema } = response_format as {
      json_schema: { strict: boolean; schema: { required: string[]; properties: object } };
    };
    expect(json_schema.strict).toBe(true);
    expect([...json_schema.schema.required].sort()).toEqual(Object.keys(port.answer).sort());
    expect(Object.keys(json_schema.schema.properties).sort()).toEqual(
      Object.keys(port.answer).sort(),
    );
  });

  it('has an answer that lacks a field repaired once, by a call that names the field', async () => {
    const wanted = await plainly();
    const says = JSON.stringify(without(port.answer, port.needs));
    provider.script({ says }, { says: whole });
    const { usage, ...found } = await ask(port);
    expect(found).toEqual(wanted);
    expect(usage.calls).toBe(2);
    const turns = provider.requests[1]?.body.messages ?? [];
    expect(turns.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(turns[2]?.content).toBe(says);
    expect(turns[3]?.content).toContain(`That answer cannot be used: ${port.needs} must`);
  });

  it('gives an answer up that lacks it still, with a code and nothing of what was said', async () => {
    provider.script({ says: JSON.stringify({ ...without(port.answer, port.needs), a: 'SAID' }) });
    const failure = await ask(port).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'DistillerError', message: 'model_invalid_output' });
    expect(String((failure as Error).stack)).not.toContain('SAID');
    expect((failure as Error).cause).toBeUndefined();
    expect(provider.requests).toHaveLength(2);
  });

  it('gives nothing that Postgres refuses: no half of a pair, no NUL', async () => {
    const words = 'Read the order HALFNUL before it is changed, with its version.';
    const escaped = JSON.stringify({ ...port.answer, ...port.saying(words) })
      .replaceAll('HALF', '\\ud83d')
      .replaceAll('NUL', '\\u0000');
    // What has no words has none to get wrong, and is repaired.
    provider.script({ says: escaped }, { says: whole });
    const text = JSON.stringify(await ask(port));
    expect(text).not.toMatch(/\\ud83d|\\u0000/i);
    expect(text.includes('before it is changed')).toBe(port.needs !== 'novelty');
  });
});
