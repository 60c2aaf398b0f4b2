import { createHash } from 'node:crypto';

type Plain =
  | string
  | number
  | boolean
  | null
  | readonly Plain[]
  | { readonly [key: string]: Plain };

/** A value as OTLP/JSON writes it; integers as strings, as the collector does. */
export function anyValue(value: Plain): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (value === null) return {};
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: keyValues(value as Record<string, Plain>) } };
}

export function keyValues(attributes: Readonly<Record<string, Plain>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

const hex = (name: string, length: number) =>
  createHash('sha256').update(name).digest('hex').slice(0, length);

/** The ids of a trace and a span that a test knows by name. */
export const traceId = (name: string) => hex(`trace ${name}`, 32);
export const spanId = (name: string) => hex(`span ${name}`, 16);

export interface TestSpan {
  /** Names its id. */
  span: string;
  trace?: string;
  parent?: string;
  name?: string;
  kind?: number | string;
  attributes?: Readonly<Record<string, Plain>>;
  events?: { name: string; attributes?: Readonly<Record<string, Plain>> }[];
  status?: { code?: number | string; message?: string };
  /** Seconds after noon. */
  at?: number;
}

const NOON = Date.UTC(2026, 5, 1, 12);

export function otlpSpan(span: TestSpan): object {
  const end = NOON + (span.at ?? 0) * 1000;
  return {
    traceId: traceId(span.trace ?? 'a'),
    spanId: spanId(span.span),
    ...(span.parent === undefined ? {} : { parentSpanId: spanId(span.parent) }),
    name: span.name ?? span.span,
    kind: span.kind ?? 1,
    startTimeUnixNano: `${end - 1500}000000`,
    endTimeUnixNano: `${end}000000`,
    attributes: keyValues(span.attributes ?? {}),
    droppedAttributesCount: 0,
    events: (span.events ?? []).map(({ name, attributes = {} }) => ({
      ...{ name, timeUnixNano: `${end}000000`, attributes: keyValues(attributes) },
    })),
    links: [],
    status: span.status ?? { code: 0 },
    flags: 257,
  };
}

/** `ExportTraceServiceRequest` of one process. */
export function otlp(
  spans: readonly TestSpan[],
  {
    service = 'desk',
    scope = 'my.instrumentation',
  }: { service?: string | null; scope?: string } = {},
): object {
  return {
    resourceSpans: [
      {
        resource: {
          attributes: keyValues(service === null ? {} : { 'service.name': service }),
          droppedAttributesCount: 0,
        },
        scopeSpans: [{ scope: { name: scope, version: '1.0' }, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}
