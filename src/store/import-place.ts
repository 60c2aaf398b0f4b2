import type { Json, JsonObject } from '../contracts/event';

/** A workspace's id as it stands in workflow ids: `capture/<workspace>/…`. */
const IN_WORKFLOW_ID = /^([a-z]+)\/([a-z0-9][a-z0-9-]{0,39})(?=\/|$)/;

/**
 * A row of another workspace as one of this one: where the workspace itself is named, as a scope or in the id of a
 * workflow, this one is. Everything else keeps its id.
 */
export function broughtTo(row: JsonObject, from: string, to: string): JsonObject {
  return from === to ? row : (brought(row, from, to) as JsonObject);
}

function brought(value: Json, from: string, to: string): Json {
  if (Array.isArray(value)) return value.map((one) => brought(one, from, to));
  if (typeof value !== 'object' || value === null) return value;
  const moved: JsonObject = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, brought(inner, from, to)]),
  );
  if (value.scope_type === 'workspace' && value.scope_id === from) moved.scope_id = to;
  if (value.type === 'workspace' && value.id === from) moved.id = to;
  if (typeof value.workflow_id === 'string') {
    moved.workflow_id = value.workflow_id.replace(
      IN_WORKFLOW_ID,
      (found, word: string, id: string) => (id === from ? `${word}/${to}` : found),
    );
  }
  return moved;
}
