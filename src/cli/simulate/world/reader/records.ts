import type { Json, JsonObject } from '../../../../contracts/event';

/** The record of a call in JSON, or null where the text holds none. */
export function recordOf(text: string): JsonObject | null {
  try {
    return callIn(JSON.parse(text) as Json);
  } catch {
    return null;
  }
}

/** The call's own record, however it is wrapped. */
function callIn(value: Json | undefined): JsonObject | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value) && typeof value.operation === 'string') return value;
  for (const inner of Object.values(value)) {
    const found = callIn(inner);
    if (found !== null) return found;
  }
  return null;
}

/** An error as the words in it: `{"code": 403, "message": "Forbidden"}` → `403 Forbidden`. */
export function spoken(error: Json): string {
  if (typeof error !== 'object' || error === null) return String(error);
  return Object.values(error).map(spoken).join(' ');
}
