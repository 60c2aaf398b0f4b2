import type { JsonObject } from '../contracts/event';
import type { ExportManifest } from '../contracts/transfer';
import { depthOf } from '../domain/clean-text';
import { exportManifestSchema } from '../schemas/transfer';
import { migrationFiles } from '../store/migrate';
import { Signer } from '../store/signing';
import { Problem } from './problem';

const MAX_DEPTH = 40;

/**
 * The first line of an export that this installation made, or another one whose key is accepted.
 * @throws Problem 422
 */
export function manifestIn(
  secretKey: string,
  text: string,
  accepted: string | undefined,
): ExportManifest {
  const parsed = exportManifestSchema.safeParse(parsedOrNull(text));
  if (!parsed.success) throw notAnExport('its first line is no manifest');
  const manifest = parsed.data;
  const own = migrationFiles().at(-1) ?? '';
  if (manifest.schema > own) {
    throw new Problem(
      422,
      'newer_export',
      'a newer version of Cairn made it: update this one, then import it',
    );
  }
  const { keyId } = new Signer(secretKey);
  if (manifest.key_id !== keyId && manifest.key_id !== accepted) {
    throw new Problem(
      422,
      'foreign_key',
      'another installation signed it: compare the id of its key with the one that they tell you, and name it as accept_key',
      { key_id: manifest.key_id },
    );
  }
  return manifest;
}

/** A line of an export as JSON. @throws Problem 422 */
export function lineIn(text: string, n: number): JsonObject {
  const value = parsedOrNull(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw notAnExport(`line ${n} is no object of JSON`);
  }
  if (depthOf(value, MAX_DEPTH) > MAX_DEPTH) throw notAnExport(`line ${n} is nested too deep`);
  return value as JsonObject;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function notAnExport(what: string): Problem {
  return new Problem(422, 'not_an_export', `this is no export of Cairn: ${what}`);
}
