import type { TestApi } from '../api';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

/** One route as `/openapi.json` describes it. */
export interface FuzzRoute {
  /** Method and path, as people write it. */
  name: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  /** Null where it takes none. */
  body: { type: string; schema: Schema } | null;
}

export interface FuzzDocument {
  routes: FuzzRoute[];
  /** What `$ref` leads to. */
  schemas: Readonly<Record<string, Schema>>;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** Every route of the document that a real API serves. */
export async function readDocument(api: TestApi): Promise<FuzzDocument> {
  const { body } = await api.call('GET', '/openapi.json', { key: null });
  const paths = Object.entries(body.paths as Record<string, Record<string, Operation>>);
  return {
    routes: paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
        const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
        return {
          name: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          parameters,
          body: type === undefined ? null : { type, schema: media?.schema ?? {} },
        };
      }),
    ),
    schemas: body.components.schemas,
  };
}
