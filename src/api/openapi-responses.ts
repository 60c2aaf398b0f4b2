export type JsonSchema = Record<string, unknown>;

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Taken, and durable; the work goes on',
  204: 'Done; there is nothing to show',
  304: 'The context that the caller has still holds',
  503: 'Not now',
};

/** Answers that no schema describes: text, and what a probe reads. */
const PLAIN: Readonly<Record<string, Record<string, JsonSchema>>> = {
  'GET /healthz': { 200: json({ type: 'object', properties: { status: { const: 'ok' } } }) },
  'GET /readyz': { 200: json(readiness('ready')), 503: json(readiness('not_ready')) },
  'GET /v1/skills/:name/skill.md': {
    200: { content: { 'text/markdown': { schema: { type: 'string' } } } },
  },
  'GET /v1/export': {
    200: { content: { 'application/x-ndjson': { schema: { type: 'string' } } } },
  },
  'GET /v1/stream': {
    200: { content: { 'text/event-stream': { schema: { type: 'string' } } } },
  },
  'GET /metrics': { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } },
};

const PROBLEM: JsonSchema = {
  description: 'What went wrong, and what to do about it',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/**
 * The answers of a route by status. A DELETE without a schema answers 204, and whatever is not listed
 * is a problem document. `name` is the method and the url.
 */
export function responsesOf(
  name: string,
  documented: Readonly<Record<string, JsonSchema>> | undefined,
): Record<string, JsonSchema> {
  const fallback = name.startsWith('DELETE ') ? { 204: { type: 'null' } } : { 200: {} };
  const answers = PLAIN[name] ?? mediaOf(documented ?? fallback);
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    { description: DESCRIPTIONS[status] ?? 'Done', ...answer },
  ]);
  return { ...Object.fromEntries(described), default: PROBLEM };
}

function mediaOf(documented: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(documented).map(([status, schema]) => [
      status,
      schema.type === 'null' || 'content' in schema ? schema : json(schema),
    ]),
  );
}

function json(schema: JsonSchema): JsonSchema {
  return { content: { 'application/json': { schema } } };
}

function readiness(status: string): JsonSchema {
  const reason = { type: ['string', 'null'] };
  return {
    type: 'object',
    properties: {
      status: { const: status },
      missing: {
        type: 'object',
        properties: { postgres: reason, temporal: reason, workers: reason },
      },
    },
  };
}
