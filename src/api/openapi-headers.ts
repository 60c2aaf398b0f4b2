import { EXECUTION_MODES } from '../contracts/names';
import type { JsonSchema } from './openapi-responses';
import { ROUTE_RULES } from './roles';

/** Whether a version has to be named, where a route looks at one at all. */
const NEEDS_VERSION: Readonly<Record<string, boolean>> = {
  'PATCH /v1/cards/:id': true,
  'DELETE /v1/cards/:id': false,
  'PUT /v1/policy': true,
  'POST /v1/skills/:name/versions': false,
  'POST /v1/skills/:name/versions/:n/test': false,
  'POST /v1/skills/:name/rollback': false,
  'POST /v1/skills/:name/deprecate': false,
  'PUT /v1/sessions/:session/blackboard/:key': false,
  'DELETE /v1/sessions/:session/blackboard/:key': false,
};

const id = { type: 'string', maxLength: 200 };

const CONTEXT: Readonly<Record<string, JsonSchema>> = {
  'Cairn-Agent': { ...id, description: "With a runtime's or a person's key: as which agent" },
  'Cairn-Person': {
    ...id,
    description: "With a runtime's key and interactive work: for which person",
  },
  'Cairn-Session': { ...id, description: 'The session that the call belongs to' },
  'Cairn-Execution-Mode': {
    type: 'string',
    enum: [...EXECUTION_MODES],
    description: 'headless without it',
  },
};

const IDEMPOTENCY_KEY: JsonSchema = {
  ...id,
  description: 'The same key with the same request is done once; with another request it is 422',
};

const IF_MATCH: JsonSchema = {
  type: 'string',
  description: 'The version that was read, in quotes, as its ETag shows it; 412 when it changed',
};

/** The headers that a route reads, beside `Authorization`. `name` is the method and the url. */
export function headersOf(name: string): JsonSchema {
  const isWrite = ROUTE_RULES[name]?.access !== 'read';
  const needsVersion = NEEDS_VERSION[name];
  return {
    type: 'object',
    properties: {
      ...CONTEXT,
      ...(isWrite ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
      ...(needsVersion === undefined ? {} : { 'If-Match': IF_MATCH }),
    },
    required: needsVersion === true ? ['If-Match'] : [],
  };
}
