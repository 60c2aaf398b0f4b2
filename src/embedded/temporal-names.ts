import { createHash } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';

/** A workflow's id, to be known again: no id stands in it. */
export interface WorkflowName {
  length: number;
  hash: string;
}

const PART = 4 * 1024 * 1024;
/** The longest id that Temporal takes. */
const LONGEST = 1_000;
/** Where an id of ours begins: what it is of, and the workspace. */
const BEGINNING = /(?:capture|learn|compact|consolidate|reflect)\/[a-z0-9][a-z0-9-]{0,39}\//g;
const PART_OF_AN_ID = /[\w.:@~/-]/;
const FILLER = '#'.charCodeAt(0);

export function workflowNameOf(workflowId: string): WorkflowName {
  const bytes = Buffer.from(workflowId);
  return { length: bytes.length, hash: hashOf(bytes) };
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Overwrites these ids wherever they stand whole in the file, byte by byte, so that every record keeps its form. A task
 * that carried one finds no workflow when its time comes, as it would have anyway.
 */
export function overwriteNames(file: number, names: readonly WorkflowName[]): void {
  if (names.length === 0) return;
  const hashes = new Map<number, Set<string>>();
  for (const { length, hash } of names) {
    hashes.set(length, (hashes.get(length) ?? new Set()).add(hash));
  }
  const buffer = Buffer.alloc(PART + LONGEST);
  for (let start = 0; ; start += PART) {
    const filled = readSync(file, buffer, 0, buffer.length, start);
    if (filled === 0) return;
    const bytes = buffer.subarray(0, filled);
    for (const { index } of bytes.toString('latin1').matchAll(BEGINNING)) {
      for (const [length, known] of hashes) {
        const end = index + length;
        if (end > filled || PART_OF_AN_ID.test(String.fromCharCode(bytes[end] ?? 0))) continue;
        if (!known.has(hashOf(bytes.subarray(index, end)))) continue;
        writeSync(file, Buffer.alloc(length, FILLER), 0, length, start + index);
      }
    }
  }
}
