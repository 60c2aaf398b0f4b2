import type { ImportTaken } from '../../../../src/contracts/transfer';
import { send } from '../../api/http';

/** Each part is some seconds of work for the server. */
const PART_BYTES = 2 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Sends an export in parts that end with a line; sent again it goes on where it stopped.
 * @throws Problem 422 `foreign_key`, `signature_invalid`, `unsigned`, `not_an_export`
 */
export async function sendImport(
  file: File,
  acceptKey: string,
  onPart: (sentBytes: number) => void,
): Promise<ImportTaken> {
  let taken: ImportTaken | null = null;
  let lines = 0;
  let at = 0;
  while (true) {
    const part: Uint8Array<ArrayBuffer> = await partAt(file, at);
    const isLast = at + part.length >= file.size;
    const held: boolean = taken !== null && !isLast && lines + count(part) <= taken.lines;
    if (!held) {
      const answer: { data: ImportTaken } = await send<ImportTaken>('/v1/import', {
        method: 'POST',
        query: {
          accept_key: acceptKey || null,
          ...(taken === null ? {} : { import: taken.import_id, after: lines }),
          ...(isLast ? {} : { more: true }),
        },
        raw: { body: part, type: 'application/x-ndjson' },
      });
      taken = answer.data;
    }
    lines += count(part);
    at += part.length;
    onPart(at);
    if (taken !== null && (isLast || taken.status === 'accepted')) return taken;
  }
}

async function partAt(file: File, at: number): Promise<Uint8Array<ArrayBuffer>> {
  let size = PART_BYTES;
  while (true) {
    const bytes = new Uint8Array(await file.slice(at, at + size).arrayBuffer());
    if (at + bytes.length >= file.size) return bytes;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) return bytes.subarray(0, end);
    size *= 2;
  }
}

function count(bytes: Uint8Array): number {
  let found = 0;
  for (const byte of bytes) if (byte === NEWLINE) found += 1;
  return found;
}
