import type { ImportTaken } from '../contracts/transfer';
import { given } from './given';
import type { CallOptions, Transport } from './transport';

export interface ExportOptions {
  /** What is about this subject alone. */
  subject?: string;
  signal?: AbortSignal;
}

export interface ImportOptions extends CallOptions {
  /** The id of another installation's key, whose exports are taken: compare it with what they tell you. */
  accept_key?: string;
  /** Told after each part how many lines are held. */
  onPart?(taken: ImportTaken): void;
}

/** A file is sent in parts of about this many bytes, each some seconds of work for the server. */
const PART_BYTES = 2 * 1024 * 1024;
/** One part, redacted once more. */
const PART_TIMEOUT_MS = 120_000;
const NEWLINE = 0x0a;

/** Exports, and what takes them in again (docs/export.md). */
export class Transfers {
  constructor(private readonly transport: Transport) {}

  /**
   * The bytes of an export as they come in: lines of JSON, of which the last one is the signature. With an agent's
   * name (`client.with({ agent })`) what that agent sees.
   *
   * @throws {CairnError} 403 where this key may not export
   * @example
   * for await (const bytes of client.transfers.export()) file.write(bytes);
   */
  async *export(options: ExportOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { subject, signal } = options;
    yield* await this.transport.stream('/v1/export', { query: { subject }, ...given({ signal }) });
  }

  /**
   * Sends an export in parts. What the server holds of it already is not sent again: an import that broke off goes on
   * by being repeated.
   *
   * @returns the operation that applies it; its result counts, and names what was skipped
   * @throws {CairnError} 422 `foreign_key`, `signature_invalid`, `unsigned`, `not_an_export`
   * @example
   * const { operation_id } = await client.transfers.import(createReadStream('export.ndjson'));
   * const { imported, skipped } = await client.operations.result(operation_id);
   */
  async import(
    chunks: AsyncIterable<Uint8Array | string>,
    options: ImportOptions = {},
  ): Promise<ImportTaken> {
    const { accept_key, onPart, signal, timeoutMs = PART_TIMEOUT_MS } = options;
    let taken: ImportTaken | null = null;
    let sent = 0;
    for await (const { bytes, isLast } of partsOf(chunks, PART_BYTES)) {
      const lines = countLines(bytes);
      const isHeld: boolean = taken !== null && !isLast && sent + lines <= taken.lines;
      if (!isHeld) {
        taken = await this.transport.call<ImportTaken>('/v1/import', {
          method: 'POST',
          query: {
            ...given({ accept_key }),
            ...(taken === null ? {} : { import: taken.import_id, after: sent }),
            ...(isLast ? {} : { more: true }),
          },
          lines: bytes,
          repeat: 'free',
          timeoutMs,
          ...given({ signal }),
        });
        onPart?.(taken);
        if (taken.status === 'accepted') return taken;
      }
      sent += lines;
    }
    throw new Error('the last part of an import is answered with its operation');
  }
}

/** Cut at the ends of lines. There is always a last one, be it empty. */
async function* partsOf(
  chunks: AsyncIterable<Uint8Array | string>,
  size: number,
): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
  const encoder = new TextEncoder();
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    const more = typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    if (bytes >= size && more.length > 0) {
      const all = joined(held, bytes);
      const end = all.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        yield { bytes: all.subarray(0, end), isLast: false };
        held = [all.subarray(end)];
        bytes = all.length - end;
      }
    }
    held.push(more);
    bytes += more.length;
  }
  yield { bytes: joined(held, bytes), isLast: true };
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count += 1;
  return count;
}
