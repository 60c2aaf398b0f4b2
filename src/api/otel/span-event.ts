import type { Json, JsonObject, SettledEvent } from '../../contracts/event';
import { eventIdOf, labelOf } from './ids';
import { type Exchange, exchangeOf, type SpanMessage } from './messages';
import type { Span } from './span';
import type { Trace } from './trace';
import { jsonIn, numberIn, textIn } from './values';

/** Of one field of an event, in characters: two of them and their surroundings fit an event. */
const MOST_TEXT = 48_000;

const TALKS: ReadonlySet<string> = new Set(['chat', 'text_completion', 'generate_content']);
const RUNS: ReadonlySet<string> = new Set(['invoke_agent', 'invoke_workflow']);

/** Whether a span is work that a memory has a use for; the others are timing, and passed over. */
export function isWork(span: Span): boolean {
  const { operation } = span;
  if (operation === null) return false;
  if (operation === 'execute_tool') return !isServedTool(span);
  if (RUNS.has(operation)) return true;
  if (failed(span)) return true;
  return TALKS.has(operation) && talk(span).says;
}

/** A tool's own server tells of a call that its caller tells of too. */
function isServedTool({ kind, attributes }: Span): boolean {
  return kind === 'server' && textIn(attributes, 'mcp.method.name') !== null;
}

/** The settled event of a span that is work, or why there is none. */
export function eventOf(span: Span, trace: Trace): SettledEvent | { refused: string } {
  const agent = trace.agentOf(span);
  if (agent === null) {
    return {
      refused:
        'it names no agent: set gen_ai.agent.name or service.name, or send Cairn-Agent with the export',
    };
  }
  if (span.endedAt === null) return { refused: '/endTimeUnixNano: the span has not ended' };
  const parent = trace.parentEvent(span);
  const session = labelIn(span, 'gen_ai.conversation.id', 'session.id');
  const error = failed(span) ? errorOf(span) : undefined;
  const work = workOf(span, trace, agent);
  return {
    event_id: eventIdOf(span.trace, span.id),
    agent,
    ...(work.kind === 'delegation' ? {} : { task: span.trace }),
    ...(session === null ? {} : { session }),
    ...(parent === null ? {} : { parent_event: parent }),
    outcome: failed(span) ? 'failed' : 'worked',
    occurred_at: new Date(span.endedAt).toISOString(),
    ...(error === undefined ? {} : { error }),
    ...work,
    metadata: metadataOf(span),
  };
}

type Work = Pick<SettledEvent, 'kind'> & Partial<SettledEvent>;

/** What kind of work it is, and what of it is told. */
function workOf(span: Span, trace: Trace, agent: string): Work {
  const { operation } = span;
  if (operation === 'execute_tool') return callOf(span);
  if (operation !== null && RUNS.has(operation)) return runOf(span, operation, trace, agent);
  if (operation !== null && TALKS.has(operation)) return talkOf(span, operation);
  return { kind: 'failure', ...providerOf(span, operation ?? 'call') };
}

function callOf(span: Span): Work {
  const { attributes, name } = span;
  const input = jsonIn(attributes, 'gen_ai.tool.call.arguments');
  const output = jsonIn(attributes, 'gen_ai.tool.call.result');
  const tool =
    textIn(attributes, 'gen_ai.tool.name') ?? name.replace(/^(?:execute_tool|tools\/call)\s+/, '');
  return {
    kind: 'service_call',
    service: serviceOfTool(span),
    operation: labelOf(tool) ?? 'tool',
    ...(input === undefined ? {} : { input: bounded(input) }),
    ...(output === undefined ? {} : { output: bounded(output) }),
  };
}

const IP = /^[\d.]+$|:/;

/** The server of the tool where one is named, else its type, else who instrumented it. */
function serviceOfTool({ attributes, scope }: Span): string {
  const host = textIn(attributes, 'server.address');
  const server =
    textIn(attributes, 'mcp.server.name') ?? (host !== null && !IP.test(host) ? host : null);
  const mcp = textIn(attributes, 'mcp.method.name') === null ? null : 'mcp';
  const type = textIn(attributes, 'gen_ai.tool.type');
  return labelOf(server ?? mcp ?? type ?? scope ?? '') ?? 'tool';
}

/**
 * An agent that another called is a delegation of the caller's. A delegation with a task would end it, and
 * the caller is not done: the trace stands in its metadata alone. The agent's own run is a step, and the
 * first of a trace ends the task.
 */
function runOf(span: Span, operation: string, trace: Trace, agent: string): Work {
  const said = saidIn(talk(span));
  const caller = operation === 'invoke_agent' ? trace.callerOf(span) : null;
  if (caller !== null && span.agent !== null) {
    const duration_ms = durationOf(span);
    return {
      kind: 'delegation',
      agent: caller,
      delegate: { agent: span.agent, ...(duration_ms === null ? {} : { duration_ms }) },
      operation: 'invoke_agent',
      ...said,
    };
  }
  const workflow = labelIn(span, 'gen_ai.workflow.name') ?? agent;
  return {
    kind: 'workflow_step',
    workflow_step: { workflow, step: operation },
    ...said,
    ...(trace.isFirst(span) ? { final: true } : {}),
  };
}

/** What was asked of an agent and what it answered, as input and output. */
function saidIn({ asked, answered }: Exchange): Pick<SettledEvent, 'input' | 'output'> {
  const text = (messages: readonly SpanMessage[]) =>
    messages
      .map(({ content }) => content)
      .join('\n')
      .slice(0, MOST_TEXT);
  const question = asked.filter(({ role }) => role === 'user');
  return {
    ...(question.length === 0 ? {} : { input: text(question) }),
    ...(answered.length === 0 ? {} : { output: text(answered) }),
  };
}

/** A turn that went well is what was said; one that failed is a call of the provider's. */
function talkOf(span: Span, operation: string): Work {
  const { asked, answered } = talk(span);
  const messages = [...asked, ...answered];
  return {
    kind: 'chat',
    ...(messages.length === 0 ? {} : { messages }),
    ...(failed(span) ? providerOf(span, operation) : {}),
  };
}

function providerOf(span: Span, operation: string): Pick<SettledEvent, 'service' | 'operation'> {
  const provider = labelIn(span, 'gen_ai.provider.name', 'gen_ai.system');
  return { service: provider ?? 'model', operation: labelOf(operation) ?? 'call' };
}

const talks = new WeakMap<Span, Exchange>();

/** Read once a span: histories are long. */
function talk(span: Span): Exchange {
  const known = talks.get(span) ?? exchangeOf(span.attributes, span.events);
  talks.set(span, known);
  return known;
}

function failed(span: Span): boolean {
  return span.isError || textIn(span.attributes, 'error.type') !== null;
}

/** `RateLimitError: at most 60 requests a minute`, from the exception, the status and the error's type. */
function errorOf({ attributes, events, message }: Span): string {
  const exception = events.find(({ name }) => name === 'exception')?.attributes ?? new Map();
  const type = textIn(attributes, 'error.type') ?? textIn(exception, 'exception.type');
  const told = textIn(exception, 'exception.message') ?? message?.trim() ?? '';
  const kind = type === null || type === '_OTHER' || told.startsWith(type) ? '' : type;
  const text = [kind, told].filter((part) => part !== '').join(': ');
  return text === '' ? 'the span ended with an error' : text.slice(0, MOST_TEXT);
}

function durationOf({ startedAt, endedAt }: Span): number | null {
  return startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt);
}

/** The caller's own words for it: kept and found by, never read for meaning. */
function metadataOf(span: Span): JsonObject {
  const { attributes, resource } = span;
  const kept: Record<string, Json> = {
    trace_id: span.trace,
    span: span.name.slice(0, 200),
    model: textIn(attributes, 'gen_ai.response.model', 'gen_ai.request.model'),
    provider: textIn(attributes, 'gen_ai.provider.name', 'gen_ai.system'),
    input_tokens: numberIn(attributes, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'),
    output_tokens: numberIn(
      attributes,
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
    ),
    duration_ms: durationOf(span),
    tool_call_id: textIn(attributes, 'gen_ai.tool.call.id'),
    service_name: textIn(resource, 'service.name'),
  };
  return Object.fromEntries(
    Object.entries(kept)
      .filter(([, value]) => value !== null && value !== '')
      .map(([key, value]) => [key, typeof value === 'string' ? value.slice(0, 500) : value]),
  );
}

/** Whole where it is small; else the beginning of its text. */
function bounded(value: Json): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MOST_TEXT ? value : text.slice(0, MOST_TEXT);
}

function labelIn({ attributes }: Span, ...keys: string[]): string | null {
  const text = textIn(attributes, ...keys);
  return text === null ? null : labelOf(text);
}
