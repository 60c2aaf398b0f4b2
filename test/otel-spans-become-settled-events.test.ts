import { type Span, spansIn } from '../src/api/otel/span';
import { eventOf, isWork } from '../src/api/otel/span-event';
import { type ReportedBy, Trace } from '../src/api/otel/trace';
import type { SettledEvent } from '../src/contracts/event';
import { parseEvent } from '../src/schemas/event';
import { otelRequestSchema } from '../src/schemas/otel';
import { otlp, spanId, type TestSpan, traceId } from './support/otel';

const RUNTIME: ReportedBy = { agent: null, fallback: null };

/** The events of an export by the name of their span; every one of them is a whole event. */
function eventsOf(
  spans: readonly TestSpan[],
  { by = RUNTIME, ...around }: { by?: ReportedBy; service?: string | null; scope?: string } = {},
): Record<string, SettledEvent> {
  const read = spansIn(otelRequestSchema.parse(otlp(spans, around)));
  const good = read.filter((one): one is Span => 'id' in one);
  expect(good).toHaveLength(spans.length);
  const trace = new Trace(good, by, isWork);
  return Object.fromEntries(
    spans.flatMap(({ span }, n) => {
      const one = good[n];
      if (one === undefined || !isWork(one)) return [];
      const event = eventOf(one, trace);
      if ('refused' in event) throw new Error(event.refused);
      expect(parseEvent(event)).toEqual({ event });
      return [[span, event]];
    }),
  );
}

const agent = { 'gen_ai.agent.name': 'Trip Planner', 'gen_ai.agent.id': 'planner-1' };
const tool = {
  ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'book_flight' },
  ...{ 'gen_ai.tool.type': 'function', 'gen_ai.tool.call.id': 'call_1' },
  'gen_ai.tool.call.arguments': '{"from":"OSL","seats":2}',
  'gen_ai.tool.call.result': '{"booking":"QX81"}',
};
const said = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });

test('a tool that was executed is a service call of the agent above it', () => {
  const { call, run } = eventsOf([
    { span: 'call', parent: 'run', name: 'execute_tool book_flight', attributes: tool, at: 2 },
    {
      span: 'run',
      attributes: {
        ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.conversation.id': 'conv 7' },
        ...agent,
        'gen_ai.input.messages': JSON.stringify([said('user', 'Two seats to Bergen')]),
        'gen_ai.output.messages': JSON.stringify([said('assistant', 'Booked: QX81')]),
      },
      at: 3,
    },
  ]);
  expect(call).toEqual({
    event_id: `otel:${traceId('a')}.${spanId('call')}`,
    kind: 'service_call',
    agent: 'planner-1',
    task: traceId('a'),
    parent_event: `otel:${traceId('a')}.${spanId('run')}`,
    service: 'function',
    operation: 'book_flight',
    input: { from: 'OSL', seats: 2 },
    output: { booking: 'QX81' },
    outcome: 'worked',
    occurred_at: '2026-06-01T12:00:02.000Z',
    metadata: {
      ...{ trace_id: traceId('a'), span: 'execute_tool book_flight', service_name: 'desk' },
      ...{ tool_call_id: 'call_1', duration_ms: 1500 },
    },
  });
  // The first of a trace is the task, and its end.
  expect(run).toMatchObject({
    kind: 'workflow_step',
    workflow_step: { workflow: 'planner-1', step: 'invoke_agent' },
    session: 'conv 7',
    final: true,
    input: 'Two seats to Bergen',
    output: 'Booked: QX81',
  });
  expect(run).not.toHaveProperty('parent_event');
});

test('what failed says why, by the exception, the status or the type alone', () => {
  const failing = (span: string, more: Partial<TestSpan>): TestSpan => ({
    ...{ span, status: { code: 2 } },
    ...more,
    attributes: { ...tool, ...more.attributes },
  });
  const events = eventsOf([
    failing('thrown', {
      attributes: { 'error.type': 'TimeoutError' },
      events: [
        {
          name: 'exception',
          attributes: {
            'exception.type': 'TimeoutError',
            'exception.message': 'no answer in 30 s',
          },
        },
      ],
    }),
    failing('told', { status: { code: 'STATUS_CODE_ERROR', message: 'seat map is closed' } }),
    failing('typed', { status: {}, attributes: { 'error.type': '429' } }),
    failing('silent', {}),
  ]);
  const errors = Object.entries(events).map(([span, { outcome, error }]) => [span, outcome, error]);
  expect(errors).toEqual([
    ['thrown', 'failed', 'TimeoutError: no answer in 30 s'],
    ['told', 'failed', 'seat map is closed'],
    ['typed', 'failed', '429'],
    ['silent', 'failed', 'the span ended with an error'],
  ]);
});

test('a chat is remembered where it says something, from the last question on', () => {
  const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm-large', ...agent };
  const history = [
    said('system', 'Be brief.'),
    said('user', 'An old question'),
    said('assistant', 'An old answer'),
    said('user', 'Which gate?'),
    {
      role: 'assistant',
      parts: [{ type: 'tool_call', id: 'c', name: 'gate', arguments: { flight: 'QX81' } }],
    },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: 'B12' }] },
  ];
  const events = eventsOf([
    {
      span: 'answered',
      attributes: {
        ...chat,
        'gen_ai.input.messages': JSON.stringify(history),
        'gen_ai.output.messages': JSON.stringify([said('assistant', 'Gate B12')]),
        'gen_ai.usage.input_tokens': 52,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.response.model': 'm-large-2026',
        'gen_ai.provider.name': 'acme',
      },
    },
    {
      span: 'calls',
      attributes: { ...chat, 'gen_ai.output.messages': JSON.stringify([history[4] ?? {}]) },
    },
    { span: 'silent', attributes: chat },
    {
      span: 'structured',
      attributes: { ...chat, 'gen_ai.output.messages': [said('assistant', 'As a list')] },
    },
    {
      span: 'picture',
      attributes: {
        ...chat,
        'gen_ai.input.messages': [
          {
            role: 'user',
            parts: [
              { type: 'text', content: 'What is this?' },
              { type: 'blob', modality: 'image', content: 'AAAA' },
            ],
          },
        ],
        'gen_ai.output.messages': [
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', content: 'Hmm' },
              { type: 'text', content: 'A fjord' },
            ],
          },
        ],
      },
    },
    {
      span: 'refused',
      status: { code: 2, message: 'quota is used up' },
      attributes: { ...chat, 'gen_ai.system': 'acme' },
    },
  ]);
  expect(Object.keys(events)).toEqual(['answered', 'structured', 'picture', 'refused']);
  expect(events.answered).toMatchObject({
    kind: 'chat',
    messages: [
      { role: 'user', content: 'Which gate?' },
      { role: 'assistant', content: 'gate({"flight":"QX81"})' },
      { role: 'tool', content: 'B12' },
      { role: 'assistant', content: 'Gate B12' },
    ],
    metadata: { model: 'm-large-2026', provider: 'acme', input_tokens: 52, output_tokens: 7 },
  });
  expect(events.picture?.messages?.map(({ content }) => content)).toEqual([
    'What is this?',
    'A fjord',
  ]);
  expect(events.refused).toMatchObject({
    ...{ kind: 'chat', outcome: 'failed', service: 'acme', operation: 'chat' },
    error: 'quota is used up',
  });
});

test.each([
  [
    'one event a message',
    {
      events: [
        { name: 'gen_ai.system.message', attributes: { content: 'Be brief.' } },
        { name: 'gen_ai.user.message', attributes: { content: 'Which gate?' } },
        {
          name: 'gen_ai.choice',
          attributes: { message: '{"content":"Gate B12","role":"assistant"}' },
        },
      ],
    },
  ],
  [
    'an event for the prompt and one for the completion',
    {
      events: [
        {
          name: 'gen_ai.content.prompt',
          attributes: { 'gen_ai.prompt': '[{"role":"user","content":"Which gate?"}]' },
        },
        {
          name: 'gen_ai.content.completion',
          attributes: { 'gen_ai.completion': '[{"role":"assistant","content":"Gate B12"}]' },
        },
      ],
    },
  ],
  [
    'one event with all details',
    {
      events: [
        {
          name: 'gen_ai.client.inference.operation.details',
          attributes: {
            'gen_ai.input.messages': [said('user', 'Which gate?')],
            'gen_ai.output.messages': [said('assistant', 'Gate B12')],
          },
        },
      ],
    },
  ],
  [
    'numbered attributes',
    {
      attributes: {
        ...{ 'gen_ai.completion.0.role': 'assistant', 'gen_ai.completion.0.content': 'Gate B12' },
        ...{ 'gen_ai.prompt.1.role': 'user', 'gen_ai.prompt.1.content': 'Which gate?' },
        ...{ 'gen_ai.prompt.0.role': 'system', 'gen_ai.prompt.0.content': 'Be brief.' },
      },
    },
  ],
  [
    'messages in the shape of a provider',
    {
      attributes: {
        'gen_ai.input.messages':
          '[{"role":"user","content":[{"type":"text","text":"Which gate?"}]}]',
        'gen_ai.output.messages': 'Gate B12',
      },
    },
  ],
])('older ways of telling a chat are read too: %s', (_, more: Partial<TestSpan>) => {
  const model = {
    'gen_ai.request.model': 'm-large',
    'gen_ai.system': 'acme',
    'gen_ai.agent.name': 'desk',
  };
  const { one } = eventsOf([
    { span: 'one', ...more, attributes: { ...model, ...more.attributes } },
  ]);
  expect(one?.messages).toEqual([
    { role: 'user', content: 'Which gate?' },
    { role: 'assistant', content: 'Gate B12' },
  ]);
});

test('an agent that another calls is a delegation, which does not end the task of its caller', () => {
  const invoke = (name: string) => ({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': name,
  });
  const events = eventsOf([
    { span: 'weather', parent: 'tool', attributes: invoke('Weather Scout'), at: 1 },
    { span: 'tool', parent: 'http', attributes: { 'http.request.method': 'POST' }, at: 2 },
    { span: 'http', parent: 'top', attributes: {}, at: 2 },
    { span: 'top', parent: 'request', attributes: invoke('Trip Planner'), at: 3 },
    {
      span: 'request',
      name: 'POST /trips',
      kind: 2,
      attributes: { 'http.request.method': 'POST' },
      at: 4,
    },
    {
      span: 'remote',
      trace: 'b',
      kind: 3,
      parent: 'elsewhere',
      attributes: invoke('Refunder'),
      at: 5,
    },
    { span: 'alone', trace: 'c', parent: 'elsewhere', attributes: invoke('Refunder'), at: 6 },
  ]);
  expect(events.weather).toMatchObject({
    kind: 'delegation',
    agent: 'Trip-Planner',
    delegate: { agent: 'Weather-Scout', duration_ms: 1500 },
    // Over what is no event of its own.
    parent_event: `otel:${traceId('a')}.${spanId('top')}`,
    metadata: { trace_id: traceId('a') },
  });
  expect(events.weather).not.toHaveProperty('task');
  expect(events.weather).not.toHaveProperty('final');
  expect(events.top).toMatchObject({ kind: 'workflow_step', agent: 'Trip-Planner', final: true });
  expect(events.remote).toMatchObject({
    kind: 'delegation',
    agent: 'desk',
    delegate: { agent: 'Refunder' },
  });
  // Nobody knows what stands above it: it is nobody's end.
  expect(events.alone).toMatchObject({ kind: 'workflow_step', agent: 'Refunder' });
  expect(events.alone).not.toHaveProperty('final');
  expect(events.alone?.parent_event).toBe(`otel:${traceId('c')}.${spanId('elsewhere')}`);
});

test('a workflow that ran is a step under its own name', () => {
  const { flow } = eventsOf([
    {
      span: 'flow',
      attributes: { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': 'refunds' },
    },
  ]);
  expect(flow).toMatchObject({
    ...{ agent: 'desk', final: true },
    workflow_step: { workflow: 'refunds', step: 'invoke_workflow' },
  });
});

test('a tool is of its server where one is named, and what a server tells of it is not told twice', () => {
  const mcp = { ...tool, 'mcp.method.name': 'tools/call' };
  const events = eventsOf(
    [
      { span: 'named', attributes: { ...mcp, 'server.address': 'tools.example.com' } },
      { span: 'numbered', attributes: { ...mcp, 'server.address': '203.0.113.7' } },
      { span: 'served', kind: 2, attributes: mcp },
      { span: 'typed', attributes: { ...tool, 'gen_ai.tool.type': 'datastore' } },
      { span: 'plain', attributes: { 'gen_ai.tool.name': 'search' } },
      {
        span: 'by name',
        name: 'execute_tool lookup',
        attributes: { 'gen_ai.operation.name': 'execute_tool' },
      },
    ],
    { scope: 'acme.agents' },
  );
  const services = Object.entries(events).map(([span, { service, operation }]) => [
    span,
    service,
    operation,
  ]);
  expect(services).toEqual([
    ['named', 'tools.example.com', 'book_flight'],
    ['numbered', 'mcp', 'book_flight'],
    ['typed', 'datastore', 'book_flight'],
    ['plain', 'acme.agents', 'search'],
    ['by name', 'acme.agents', 'lookup'],
  ]);
});

test('whose work it is goes by the key, then by the span, what is above it, the call and the service', () => {
  const call = (span: string, attributes: TestSpan['attributes'] = {}) => ({
    ...{ span, attributes: { ...tool, ...attributes } },
  });
  const agentOf = (spans: TestSpan[], around: Parameters<typeof eventsOf>[1] = {}) =>
    Object.values(eventsOf(spans, around))[0]?.agent;
  expect(agentOf([call('x', agent)])).toBe('planner-1');
  const generated = { ...agent, 'gen_ai.agent.id': '7d3c1a52-55aa-4d3e-9a38-0a3f1d2b9c11' };
  expect(agentOf([call('x', generated)])).toBe('Trip-Planner');
  expect(agentOf([call('x', { 'gen_ai.agent.id': generated['gen_ai.agent.id'] })])).toBe(
    generated['gen_ai.agent.id'],
  );
  expect(agentOf([call('x')])).toBe('desk');
  const fallback = { by: { agent: null, fallback: 'concierge' } };
  expect(agentOf([call('x')], fallback)).toBe('concierge');
  expect(agentOf([call('x', agent)], fallback)).toBe('planner-1');
  const own = { by: { agent: 'itself', fallback: 'itself' } };
  expect(agentOf([call('x', agent)], own)).toBe('itself');
  expect(() => agentOf([call('x')], { service: null })).toThrow('names no agent');
  expect(() => agentOf([call('x')], { service: 'unknown_service:node' })).toThrow('names no agent');
});

test('what is no work is passed over, and what failed of it is not', () => {
  const operation = (name: string) => ({
    'gen_ai.operation.name': name,
    'gen_ai.provider.name': 'acme',
  });
  const events = eventsOf([
    { span: 'http', attributes: { 'http.request.method': 'GET' }, status: { code: 2 } },
    { span: 'embedded', attributes: operation('embeddings') },
    { span: 'made', attributes: operation('create_agent') },
    {
      span: 'not embedded',
      attributes: operation('embeddings'),
      status: { code: 2, message: 'no quota' },
    },
  ]);
  expect(Object.keys(events)).toEqual(['not embedded']);
  expect(events['not embedded']).toMatchObject({
    ...{ kind: 'failure', service: 'acme', operation: 'embeddings', error: 'no quota' },
  });
});
