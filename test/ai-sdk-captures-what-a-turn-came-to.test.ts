import { generateText, stepCountIs, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { z } from 'zod';
import { type CairnMiddlewareOptions, cairnMiddleware } from '../src/adapters/ai-sdk/middleware';
import type { EventRecord, JsonObject } from '../src/client/index';
import {
  type CallOptions,
  heard,
  modelSaying,
  type Said,
  type StreamPart,
  textStream,
  toolCall,
} from './support/ai-models';
import { startApi, type TestApi } from './support/api';
import { email, githubToken } from './support/secret-strings';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

let agents = 0;
function talking(
  answer: (options: CallOptions) => Said,
  stream?: (options: CallOptions) => StreamPart[],
  options: Partial<CairnMiddlewareOptions> = {},
) {
  agents += 1;
  const agent = `talker-${agents}`;
  const errors: unknown[] = [];
  const middleware = cairnMiddleware({
    client: api.owner,
    agent,
    recall: { deadlineMs: 30_000 },
    onError: (error) => errors.push(error),
    ...options,
  });
  const inner = modelSaying(answer, stream);
  const model = wrapLanguageModel({ model: inner, middleware });
  /** What was told to Cairn when all is told, the oldest first. */
  const events = async (): Promise<EventRecord[]> => {
    await middleware.flush();
    expect(errors).toEqual([]);
    const { items } = await api.owner.events.list({ agent, limit: 100 });
    return [...items].reverse();
  };
  const told = async (): Promise<JsonObject[]> => (await events()).map(({ event }) => event ?? {});
  return { model, inner, agent, middleware, told, errors };
}

const message = (role: string, content: unknown) => ({ role, content });
const lookUp = (execute: (input: { id: string }) => unknown) => ({
  look_up: tool({
    inputSchema: z.object({ id: z.string() }),
    execute: async (input) => execute(input),
  }),
});

it('tells of the agent whose key it has, where none is named', async () => {
  const key = await api.keyFor({ kind: 'agent', id: 'by-its-own-key' });
  const errors: unknown[] = [];
  const middleware = cairnMiddleware({
    ...{ url: api.url, key, recall: false as const },
    onError: (error) => errors.push(error),
  });
  const model = wrapLanguageModel({ model: modelSaying(() => 'Noted.'), middleware });
  await generateText({ model, prompt: 'I love rowing.' });
  await middleware.flush();
  expect(errors).toEqual([]);
  const { items } = await api.owner.events.list({ agent: 'by-its-own-key' });
  expect(items).toHaveLength(1);
});

it('tells of a turn of talk: what was asked and answered, and by which model', async () => {
  const { model, told, agent } = talking(() => 'I will remember that you love hiking.');
  await generateText({ model, system: 'You are a travel agent.', prompt: 'I love hiking.' });
  expect(await told()).toEqual([
    expect.objectContaining({
      kind: 'chat',
      agent,
      outcome: 'neutral',
      messages: [
        message('user', 'I love hiking.'),
        message('assistant', 'I will remember that you love hiking.'),
      ],
      metadata: {
        ai_sdk: {
          provider: 'simulated',
          model: 'simulated-1',
          finish_reason: 'stop',
          input_tokens: 11,
          output_tokens: 7,
        },
      },
    }),
  ]);
});

it('tells of several steps once, with what the tools were asked and what they gave', async () => {
  const { model, told } = talking(({ prompt }) =>
    prompt.some(({ role }) => role === 'tool')
      ? 'Order 7 left on Monday.'
      : toolCall('call-1', 'look_up', { id: '7' }),
  );
  await generateText({
    model,
    prompt: 'Where is order 7?',
    tools: lookUp(() => ({ left: 'Monday' })),
    stopWhen: stepCountIs(5),
  });
  const [event, ...more] = await told();
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    outcome: 'worked',
    messages: [
      message('user', 'Where is order 7?'),
      { role: 'tool', name: 'look_up', content: expect.any(String) },
      message('assistant', 'Order 7 left on Monday.'),
    ],
  });
  const [, used] = (event?.messages ?? []) as { content: string }[];
  expect(JSON.parse(used?.content ?? '')).toEqual({
    input: { id: '7' },
    output: { left: 'Monday' },
  });
});

it('tells that a turn failed whose tool failed to the end, and not one that found another way', async () => {
  for (const [failures, outcome] of [
    [9, 'failed'],
    [1, 'worked'],
  ] as const) {
    let uses = 0;
    const { model, told } = talking(({ prompt }) => {
      const results = prompt.filter(({ role }) => role === 'tool').length;
      return results === 2 ? 'That is all.' : toolCall(`call-${results}`, 'look_up', { id: '7' });
    });
    await generateText({
      model,
      prompt: 'Where is order 7?',
      tools: lookUp(() => {
        uses += 1;
        if (uses <= failures) throw new Error('the archive is closed');
        return 'found';
      }),
      stopWhen: stepCountIs(5),
    });
    const [event, ...more] = await told();
    expect([event?.outcome, more]).toEqual([outcome, []]);
    const error = 'look_up: the archive is closed';
    expect(event?.error).toBe(outcome === 'failed' ? error : undefined);
    expect(JSON.stringify(event?.messages)).toContain('the archive is closed');
  }
});

it('tells of a turn that ends with a tool call when nothing carries it on', async () => {
  const { model, told, middleware, agent } = talking(() =>
    toolCall('call-1', 'answer', { sum: 4 }),
  );
  const tools = {
    answer: tool({ inputSchema: z.object({ sum: z.number() }) }),
  } as unknown as ToolSet;
  await generateText({ model, prompt: 'What is 2 + 2?', tools });
  expect((await api.owner.events.list({ agent })).total).toBe(0);
  await middleware.flush();
  const [event] = await told();
  expect(event).toMatchObject({ outcome: 'neutral', kind: 'chat' });
  expect(JSON.stringify(event)).toContain('answer');
});

describe('a call that fails', () => {
  const unavailable = () =>
    Object.assign(new Error('the service is overloaded'), { statusCode: 529 });

  it('is told as failed, once for all its tries', async () => {
    const { model, told } = talking(unavailable);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const call = generateText({ model, prompt: 'Hello?', maxRetries: 0 });
      await expect(call).rejects.toThrow('overloaded');
    }
    expect(await told()).toEqual([
      expect.objectContaining({
        kind: 'service_call',
        service: 'simulated',
        operation: 'generate',
        outcome: 'failed',
        input: { model: 'simulated-1', request: 'Hello?' },
        error: '529: the service is overloaded',
      }),
    ]);
  });

  it('is not told where a further try worked', async () => {
    let tries = 0;
    const { model, told } = talking(() => {
      tries += 1;
      return tries === 1 ? unavailable() : 'Here I am.';
    });
    await generateText({ model, prompt: 'Hello.', maxRetries: 0 }).catch(() => {});
    await generateText({ model, prompt: 'Hello.', maxRetries: 0 });
    expect(await told()).toEqual([expect.objectContaining({ kind: 'chat', outcome: 'neutral' })]);
    tries = 0;
    const asking = talking(() => {
      tries += 1;
      return tries === 1 ? unavailable() : 'Here I am.';
    });
    await generateText({ model: asking.model, prompt: 'Hello?', maxRetries: 0 }).catch(() => {});
    await generateText({ model: asking.model, prompt: 'Hello?', maxRetries: 0 });
    expect(await asking.told()).toEqual([]);
  });

  it('is told as what it is: filtered is blocked, cut off is neither', async () => {
    for (const [unified, outcome] of [
      ['content-filter', 'blocked'],
      ['length', 'neutral'],
      ['error', 'failed'],
    ] as const) {
      const { model, told } = talking(() => ({
        content: [{ type: 'text', text: 'Once upon' }],
        finishReason: { unified, raw: undefined },
      }));
      await generateText({ model, prompt: 'Tell me a story.' });
      expect(await told()).toEqual([expect.objectContaining({ outcome })]);
    }
  });
});

describe('a stream', () => {
  it('passes through as it is, and is told when it ends', async () => {
    const { model, told } = talking(
      () => 'unused',
      () => textStream(['Once ', 'upon ', 'a time.']),
    );
    const deltas: string[] = [];
    for await (const text of streamText({ model, prompt: 'Tell me a story.' }).textStream) {
      deltas.push(text);
    }
    expect(deltas).toEqual(['Once ', 'upon ', 'a time.']);
    expect(await told()).toEqual([
      expect.objectContaining({
        outcome: 'neutral',
        messages: [message('user', 'Tell me a story.'), message('assistant', 'Once upon a time.')],
      }),
    ]);
  });

  it('is told with its tools', async () => {
    const { model, told } = talking(
      () => 'unused',
      ({ prompt }) =>
        prompt.some(({ role }) => role === 'tool')
          ? textStream(['It left.'])
          : [
              { type: 'tool-call', toolCallId: 'c', toolName: 'look_up', input: '{"id":"7"}' },
              {
                type: 'finish',
                finishReason: { unified: 'tool-calls', raw: undefined },
                usage: { inputTokens: {}, outputTokens: {} } as never,
              },
            ],
    );
    const tools = lookUp(() => 'gone');
    await streamText({ model, prompt: 'Where?', tools, stopWhen: stepCountIs(3) }).consumeStream();
    expect(await told()).toEqual([
      expect.objectContaining({
        outcome: 'worked',
        messages: [
          message('user', 'Where?'),
          { role: 'tool', name: 'look_up', content: '{"input":{"id":"7"},"output":"gone"}' },
          message('assistant', 'It left.'),
        ],
      }),
    ]);
  });

  it('whose reader goes away is told as far as it came, and its source is closed', async () => {
    const { model, told, inner } = talking(() => 'unused');
    let closed: unknown = null;
    inner.doStream = async () => ({
      stream: new ReadableStream<StreamPart>(
        {
          pull: (controller) =>
            controller.enqueue({ type: 'text-delta', id: 't', delta: 'and so on ' }),
          cancel: (reason) => {
            closed = reason;
          },
        },
        { highWaterMark: 0 },
      ),
    });
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Count.' }] }],
    });
    const reader = stream.getReader();
    await reader.read();
    await reader.read();
    await reader.cancel('enough');
    expect(closed).toBe('enough');
    expect(await told()).toEqual([
      expect.objectContaining({
        outcome: 'neutral',
        messages: [message('user', 'Count.'), message('assistant', 'and so on and so on')],
        metadata: { ai_sdk: expect.objectContaining({ cancelled: true }) },
      }),
    ]);
  });

  it('that is aborted is told at once as far as it was read, though its provider goes on', async () => {
    const { model, told, inner } = talking(() => 'unused');
    let goOn = () => {};
    const stands = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const begun = textStream(['one ', 'two ']).slice(0, -2);
    const rest = textStream(['and what nobody read']).slice(2);
    inner.doStream = async () => ({
      stream: new ReadableStream<StreamPart>(
        {
          async pull(controller) {
            const next = begun.shift();
            if (next !== undefined) return controller.enqueue(next);
            await stands;
            const later = rest.shift();
            if (later === undefined) controller.close();
            else controller.enqueue(later);
          },
        },
        { highWaterMark: 0 },
      ),
    });
    const leaving = new AbortController();
    const { fullStream } = streamText({
      model,
      prompt: 'Count.',
      abortSignal: leaving.signal,
      onError: () => {},
    });
    const read = (async () => {
      for await (const part of fullStream) {
        if (part.type === 'text-delta' && part.text === 'two ') leaving.abort();
      }
    })();
    await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve));
    const aborted = [
      expect.objectContaining({
        outcome: 'neutral',
        messages: [message('user', 'Count.'), message('assistant', 'one two')],
        metadata: { ai_sdk: expect.objectContaining({ cancelled: true }) },
      }),
    ];
    expect(await told()).toEqual(aborted);
    goOn();
    await read;
    expect(await told()).toEqual(aborted);
  });

  it('that breaks off is told as failed', async () => {
    const { model, told } = talking(
      () => 'unused',
      () => [{ type: 'error', error: new Error('connection reset') }],
    );
    await streamText({
      model,
      prompt: 'Tell me.',
      onError: () => {},
      maxRetries: 0,
    }).consumeStream();
    expect(await told()).toEqual([
      expect.objectContaining({
        kind: 'service_call',
        operation: 'stream',
        outcome: 'failed',
        error: 'connection reset',
      }),
    ]);
  });

  it('that is aborted before it said anything is nothing to tell', async () => {
    const { model, told } = talking(() => Object.assign(new Error('stop'), { name: 'AbortError' }));
    await expect(generateText({ model, prompt: 'Hello?' })).rejects.toThrow('stop');
    expect(await told()).toEqual([]);
  });
});

it('tells nothing of what was recalled, though the model repeats it, nor what the system said', async () => {
  const known = 'The ferry to the islands leaves from gate four on every weekday.';
  const { model, told, agent, inner } = talking((options) => {
    const [system = ''] = heard(options);
    return `${system}\nAs I know: ${known} Have a good trip!`;
  });
  await api.owner.with({ agent }).cards.create({ summary: known });
  await generateText({
    model,
    system: 'Never say the word plum.',
    prompt: 'Tell me which gate the ferry leaves from.',
  });
  expect(heard(inner.doGenerateCalls[0]).join()).toContain(known);
  const [event] = await told();
  const text = JSON.stringify(event);
  for (const gone of ['gate four', '# Memory', 'recalled from Cairn'])
    expect(text).not.toContain(gone);
  expect(text).toContain('Have a good trip!');
});

it('keeps no secret of either side', async () => {
  const { model, told } = talking(() => `I wrote to ${email()}.`);
  await generateText({ model, prompt: `My token is ${githubToken()}, write to ${email()}.` });
  const text = JSON.stringify(await told());
  expect(text).toContain('I wrote to');
  for (const secret of [email(), githubToken()]) expect(text).not.toContain(secret);
});

it('says with each call whose it is, and loses none of many at once', async () => {
  const { model, told } = talking(
    ({ prompt }) => `To ${JSON.stringify(prompt.at(-1)?.content)}`,
    undefined,
    {
      session: 'all',
      project: 'tours',
    },
  );
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      generateText({
        model,
        prompt: `Question ${at}`,
        providerOptions: { cairn: { session: `s-${at}`, subject: `guest-${at}` } },
      }),
    ),
  );
  const events = await told();
  expect(
    events.map(({ session, subject, project }) => `${session} ${subject} ${project}`).sort(),
  ).toEqual(Array.from({ length: 20 }, (_, at) => `s-${at} guest-${at} tours`).sort());
});

it('tells nothing of a turn that only asks, and leaves out what is not wanted', async () => {
  const asked: string[] = [];
  const { model, told } = talking(() => 'Yes.', undefined, {
    capture: ({ messages }) => {
      const prompt = messages?.[0]?.content ?? '';
      asked.push(prompt);
      return !prompt.includes('weather');
    },
  });
  const telling = [
    'It is open. Is it?',
    'I am vegan, what can I have?',
    'So my train is late, and can I still come?',
    'Ich bin Veganer, was gibt es?',
  ];
  const asking = ['Is it open?', 'Thanks, and guest Quinn?', 'What do I have, and when?', '几点？'];
  for (const prompt of [...asking, ...telling, 'How is the weather?', 'The weather is fine.']) {
    await generateText({ model, prompt });
  }
  const events = await told();
  const prompts = events.map(({ messages }) => (messages as { content: string }[])[0]?.content);
  expect(prompts.sort()).toEqual([...telling].sort());
  // What is not reported anyway is not asked about.
  expect(asked.sort()).toEqual([...telling, 'The weather is fine.'].sort());
  const off = talking(() => 'Yes.', undefined, { capture: false });
  await generateText({ model: off.model, prompt: 'It is open.' });
  expect(await off.told()).toEqual([]);
});

it('leaves the call alone where a turn cannot be told', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const { model, errors, middleware } = talking(() => 'Fine.');
  const { text } = await generateText({
    model,
    messages: [
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c', toolName: 't', input: circular }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 't',
            output: { type: 'text', value: 'x' },
          },
        ],
      },
    ],
  });
  await middleware.flush();
  expect([text, errors]).toEqual(['Fine.', [expect.any(TypeError)]]);
});
