import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { eventSchema } from '../schemas/event';
import { headersOf } from './openapi-headers';
import { type JsonSchema, responsesOf } from './openapi-responses';

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;
type RouteDocument = Parameters<Transform>[0];

/**
 * Documented only: Fastify would check a whole batch at once, and intake checks it item by item, so
 * that a bad one does not fail the others.
 */
const BODIES: Readonly<Record<string, JsonSchema>> = {
  'POST /v1/events': {
    oneOf: [
      { $ref: '#/components/schemas/Event' },
      {
        type: 'object',
        properties: {
          events: {
            type: 'array',
            maxItems: 500,
            items: { $ref: '#/components/schemas/Event' },
          },
        },
        required: ['events'],
        additionalProperties: false,
      },
    ],
  },
};

/** What `/openapi.json` says of a route: its schemas, and what holds for every route of its kind. */
export const documentRoute: Transform = (document) => {
  const { schema, url } = jsonSchemaTransform(withSchema(document)) as {
    schema: JsonSchema;
    url: string;
  };
  if (schema.hide === true) return { schema, url };
  const { route } = document;
  const name = `${[route.method].flat()[0]} ${route.url}`;
  const isOpen = route.config?.open === true;
  const body = BODIES[name];
  return {
    schema: {
      ...schema,
      ...(isOpen ? { security: [] } : { headers: headersOf(name) }),
      ...(body === undefined ? {} : { body }),
      response: responsesOf(name, schema.response as Record<string, JsonSchema> | undefined),
    },
    url,
  };
};

/** A route that says nothing of itself still answers, and with problems like any other. */
function withSchema(document: RouteDocument): RouteDocument {
  return { ...document, schema: document.schema ?? {} };
}

/** Adds what the routes refer to by name. */
export const addComponents: TransformObject = (document) => {
  if (!('openapiObject' in document)) throw new Error('the document is OpenAPI 3.1');
  const { openapiObject } = document;
  const schemas = {
    ...openapiObject.components?.schemas,
    Event: eventDocument(),
    Problem: PROBLEM,
  };
  const components = { ...openapiObject.components, schemas };
  return { ...openapiObject, components } as typeof openapiObject;
};

function eventDocument(): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(eventSchema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return schema;
}

const text: JsonSchema = { type: 'string' };

const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'An RFC 9457 problem document.',
  properties: {
    type: { ...text, description: 'A URN that ends with the code' },
    title: text,
    status: { type: 'integer' },
    code: { ...text, description: 'Stable, for programs' },
    detail: { ...text, description: 'What happened and what to do about it, for people' },
    pointer: { ...text, description: 'A JSON pointer to what is wrong in the request' },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
  additionalProperties: true,
};
