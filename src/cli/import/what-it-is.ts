import { EXPORT_FORMAT } from '../../contracts/transfer';

/** What a file may be of. */
export const ORIGINS = ['events', 'cairn', 'mem0', 'mcp-memory'] as const;
export type Origin = (typeof ORIGINS)[number];

/** Long enough for the beginning of a manifest. */
const PEEKED = 4_096;

/** Whether it begins as an export does; what was read of it for that comes again. */
export async function peeked(
  chunks: AsyncIterable<Uint8Array | string>,
): Promise<{ origin: 'events' | 'cairn'; chunks: AsyncIterable<Uint8Array | string> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const read: (Uint8Array | string)[] = [];
  let text = '';
  while (text.length < PEEKED && !text.includes('\n')) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    read.push(value);
    text += typeof value === 'string' ? value : Buffer.from(value).toString('latin1');
  }
  const isExport = /^\s*\{"type":"manifest",/.test(text) && text.includes(`"${EXPORT_FORMAT}"`);
  const again = async function* () {
    yield* read;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  return { origin: isExport ? 'cairn' : 'events', chunks: again() };
}
