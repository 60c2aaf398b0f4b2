import fc from 'fast-check';
import type { OwnWarning } from '../src/domain/distill/distill';
import type { Distiller } from '../src/models/distiller';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { jsonObjectsIn } from '../src/models/tolerant-json';
import { MODEL_CARD_JSON_SCHEMA, parseModelCard } from '../src/schemas/model-output';
import { distilled, failedCall } from './support/distilling';
import {
  cardAnswer,
  type FakeProvider,
  refuses,
  SAYS,
  startFakeProvider,
} from './support/fake-provider';

let provider: FakeProvider;
let distiller: Distiller;
beforeAll(async () => {
  provider = await startFakeProvider();
});
beforeEach(() => {
  const { baseUrl } = provider;
  distiller = createOpenAiDistiller({
    apiKey: 'none',
    baseUrl,
    model: 'small',
    clock: () => new Date(),
  });
});
afterAll(() => provider.close());

const SUMMARY = (JSON.parse(cardAnswer()) as { summary: string }).summary;

describe('an answer of the model', () => {
  it.each([
    ['alone', SAYS.valid],
    ['in a fence with prose around it', SAYS.prose],
    [
      'after thoughts that hold braces',
      { says: `<think>{maybe {"summary": 1}}</think>${cardAnswer()}` },
    ],
    [
      'as the last of two objects that fit',
      {
        says: `${cardAnswer({ summary: 'A first attempt at a card that is given up.' })} better: ${cardAnswer()}`,
      },
    ],
    ['with fields nobody asked for', { says: cardAnswer({ kind: 'knowledge', sign: 'worked' }) }],
  ])('is taken %s, with one call', async (_, answer) => {
    provider.script(answer);
    const draft = await distilled(distiller, failedCall());
    expect(draft).toMatchObject({
      summary: SUMMARY,
      keywords: ['slack', 'channel', 'external'],
      topic: 'channel users',
      importance: 6,
      kind: 'constraint',
      sign: 'failed',
      distilled_by: 'model',
      model: 'small',
      prompt_version: distiller.promptVersion,
    });
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    ['cut off', SAYS.truncated, 'no complete JSON object'],
    ['empty', SAYS.empty, 'no complete JSON object'],
    ['of another shape', SAYS.wrongSchema, 'summary must be a string'],
    [
      'too short',
      { says: cardAnswer({ summary: 'It failed.' }) },
      'summary must be 20 to 600 characters',
    ],
    [
      'too long',
      { says: cardAnswer({ summary: 'word '.repeat(200) }) },
      'summary must be 20 to 600 characters',
    ],
    [
      'a dump',
      { says: cardAnswer({ summary: 'It gave {"users": [{"id": 7}], "ok": true} and failed.' }) },
      'not JSON or a record',
    ],
    [
      'scored beyond ten',
      { says: cardAnswer({ importance: 11 }) },
      'importance must be at most 10',
    ],
  ])('that is %s is repaired by one call that names the rule', async (_, answer, rule) => {
    provider.script(answer, SAYS.valid);
    const draft = await distilled(distiller, failedCall());
    expect(draft.summary).toBe(SUMMARY);
    expect(provider.requests).toHaveLength(2);
    const asked = provider.requests[1]?.body.messages?.at(-1);
    expect(asked?.role).toBe('user');
    expect(asked?.content).toContain(rule);
  });

  it('that stays unfit fails after exactly one repair, with a code and no content', async () => {
    provider.script({ says: cardAnswer({ summary: 'SECRET-ANSWER' }) });
    const failure = await distilled(distiller, failedCall()).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: 'DistillerError', message: 'model_invalid_output' });
    expect((failure as Error).cause).toBeUndefined();
    expect(provider.requests).toHaveLength(2);
  });

  it('with half a surrogate pair becomes text that Postgres takes', async () => {
    provider.script(SAYS.loneSurrogate);
    const { summary } = await distilled(distiller, failedCall());
    expect(summary).toBe('Sent the report to the channel \uFFFD and it worked at the first try.');
  });

  it.each([
    ['names the format', refuses(400, {}, "Unknown parameter: 'response_format'")],
    ['names the bound', refuses(422, {}, 'max_completion_tokens: extra inputs are not permitted')],
    ['refuses in a form of its own', { status: 422, body: { detail: [{ msg: 'extra inputs' }] } }],
  ])('is asked for plainly, and so from then on, by an endpoint that %s', async (_, refusal) => {
    provider.script(refusal, SAYS.valid);
    await distilled(distiller, failedCall());
    await distilled(distiller, failedCall());
    const sent = provider.requests.map(({ body }) => Object.keys(body).sort());
    const plain = ['max_tokens', 'messages', 'model'];
    expect(sent).toEqual([
      ['max_completion_tokens', 'messages', 'model', 'response_format'],
      plain,
      plain,
    ]);
  });

  it('is asked for in full again where the plain request was refused as well', async () => {
    provider.script({ status: 400, body: {} }, { status: 400, body: {} }, SAYS.valid);
    await expect(distilled(distiller, failedCall())).rejects.toMatchObject({
      type: 'model_refused',
    });
    await distilled(distiller, failedCall());
    expect(provider.requests.at(-1)?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'memory_card', strict: true },
    });
  });

  it('names the warnings it drew on by their index, and only those it was shown', async () => {
    const warnings = ['a', 'b', 'c', 'd'].map(
      (id): OwnWarning => ({
        card_id: `card_${id}`,
        summary: `Asked mail for the folder ${id}. It failed: no such folder.`,
        input_fields: { folder: id },
        error_signature: null,
        service: 'mail',
        operation: 'open_folder',
        occurred_at: '2026-03-01T00:00:00Z',
      }),
    );
    provider.script({ says: cardAnswer({ used_warnings: [1, 3, 9, -1] }) });
    const draft = await distilled(distiller, failedCall(), warnings);
    expect(draft.derived_from).toEqual(['card_b']);
  });
});

describe('the schema that a provider is given', () => {
  it('asks for the fields that are read, all of them, and nothing else', () => {
    const fields = Object.keys(MODEL_CARD_JSON_SCHEMA.properties);
    const parsed = parseModelCard(JSON.parse(cardAnswer()));
    expect('card' in parsed && Object.keys(parsed.card).sort()).toEqual([...fields].sort());
    expect(MODEL_CARD_JSON_SCHEMA.required).toEqual(fields);
    expect(MODEL_CARD_JSON_SCHEMA.additionalProperties).toBe(false);
  });
});

describe('objects in prose', () => {
  const prose = fc.string().map((text) => text.replace(/[{}"]/g, ''));
  const object = fc.dictionary(fc.string(), fc.jsonValue());

  it('are found whole and in order, whatever plain text stands around them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, object)), prose, (parts, end) => {
        const text = parts.map(([before, value]) => before + JSON.stringify(value)).join('') + end;
        fc.pre(text.length < 30_000);
        const wanted: unknown = parts.map(([, value]) => JSON.parse(JSON.stringify(value)));
        expect(jsonObjectsIn(text)).toEqual(wanted);
      }),
    );
  });

  it('never throw, and a cut object is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(jsonObjectsIn(text))),
    );
    expect(jsonObjectsIn('{"a": {"b": 1')).toEqual([]);
    expect(jsonObjectsIn('{'.repeat(100_000))).toEqual([]);
  });
});
