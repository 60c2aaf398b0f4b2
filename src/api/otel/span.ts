import { depthOf } from '../../domain/clean-text';
import { isGenerated } from '../../domain/generated-id';
import { firstIssue } from '../../schemas/event';
import {
  type OtelRequest,
  type OtelSpan,
  otelAttributesSchema,
  otelSpanSchema,
} from '../../schemas/otel';
import { idOfName, spanIdOf, traceIdOf } from './ids';
import type { SpanEvent } from './messages';
import { type Attributes, attributesOf, textIn } from './values';

/** A span that was read, with what stands around it. */
export interface Span {
  trace: string;
  id: string;
  /** Null of a trace's first span. */
  parent: string | null;
  name: string;
  kind: 'client' | 'server' | 'other';
  attributes: Attributes;
  events: readonly SpanEvent[];
  /** Milliseconds since 1970; null where it is not told. */
  startedAt: number | null;
  endedAt: number | null;
  /** By its status alone. */
  isError: boolean;
  message: string | null;
  /** Of the instrumentation library. */
  scope: string | null;
  resource: Attributes;
  operation: string | null;
  /** The agent that it names itself. */
  agent: string | null;
}

/** As deep as a span's attributes may be nested, wrappings included; 4 levels of it are one of JSON. */
const MAX_SPAN_DEPTH = 80;

/** Each span of an export, or why it cannot be read. */
export function spansIn(request: OtelRequest): (Span | { refused: string })[] {
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const around = resourceOf(resource?.attributes);
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((raw) => spanOf(raw, around, scope?.name ?? null)),
    );
  });
}

/** One that cannot be read says nothing. */
function resourceOf(raw: unknown): Attributes {
  if (depthOf(raw, MAX_SPAN_DEPTH) > MAX_SPAN_DEPTH) return new Map();
  const parsed = otelAttributesSchema.safeParse(raw);
  return parsed.success ? attributesOf(parsed.data) : new Map();
}

function spanOf(
  raw: unknown,
  resource: Attributes,
  scope: string | null,
): Span | { refused: string } {
  if (depthOf(raw, MAX_SPAN_DEPTH) > MAX_SPAN_DEPTH) {
    return { refused: `it is nested deeper than ${MAX_SPAN_DEPTH} levels` };
  }
  const parsed = otelSpanSchema.safeParse(raw);
  if (!parsed.success) {
    const { pointer, detail } = firstIssue(parsed.error);
    return { refused: pointer === '' ? `a span: ${detail}` : `${pointer}: ${detail}` };
  }
  const span = parsed.data;
  const trace = traceIdOf(span.traceId);
  const id = spanIdOf(span.spanId);
  if (trace === null) return { refused: '/traceId: is not 16 bytes in hex' };
  if (id === null) return { refused: '/spanId: is not 8 bytes in hex' };
  const attributes = attributesOf(span.attributes);
  return {
    ...{ trace, id, attributes, resource, scope },
    parent: spanIdOf(span.parentSpanId ?? ''),
    name: span.name,
    kind: kindOf(span.kind),
    events: span.events.map((event) => ({
      name: event.name,
      attributes: attributesOf(event.attributes),
    })),
    startedAt: millisOf(span.startTimeUnixNano),
    endedAt: millisOf(span.endTimeUnixNano),
    isError: isErrorCode(span.status?.code),
    message: span.status?.message ?? null,
    operation: operationOf(attributes),
    agent: agentNamedBy(attributes),
  };
}

function kindOf(kind: OtelSpan['kind']): Span['kind'] {
  if (kind === 2 || kind === 'SPAN_KIND_SERVER') return 'server';
  return kind === 3 || kind === 'SPAN_KIND_CLIENT' ? 'client' : 'other';
}

function isErrorCode(code: string | number | undefined): boolean {
  return code === 2 || code === 'STATUS_CODE_ERROR';
}

const NANOS_A_MILLI = 1_000_000n;
/** The last moment that a `Date` can hold. */
const LAST_MILLI = 8_640_000_000_000_000;

function millisOf(nanos: string | number | undefined): number | null {
  if (nanos === undefined) return null;
  const whole = typeof nanos === 'string' ? BigInt(nanos) : BigInt(Math.trunc(nanos));
  const millis = Number(whole / NANOS_A_MILLI);
  return millis > 0 && millis <= LAST_MILLI ? millis : null;
}

/** What it did, in the word of the conventions; older instrumentations leave it to be told by the rest. */
function operationOf(attributes: Attributes): string | null {
  const named = textIn(attributes, 'gen_ai.operation.name');
  if (named !== null) return named.slice(0, 100);
  if (textIn(attributes, 'mcp.method.name') === 'tools/call') return 'execute_tool';
  if (textIn(attributes, 'gen_ai.tool.name') !== null) return 'execute_tool';
  const isModel = textIn(attributes, 'gen_ai.request.model', 'gen_ai.response.model') !== null;
  return isModel ? 'chat' : null;
}

/** An id that a framework makes anew for each process says nothing of whose memory it is: then the name does. */
function agentNamedBy(attributes: Attributes): string | null {
  const id = textIn(attributes, 'gen_ai.agent.id');
  const name = textIn(attributes, 'gen_ai.agent.name');
  const best = id !== null && (name === null || !isGenerated(id)) ? id : name;
  return best === null ? null : idOfName(best);
}
