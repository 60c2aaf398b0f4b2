import { ftruncateSync, writeSync } from 'node:fs';

/**
 * The write-ahead log of a SQLite file that nobody has open, as SQLite's "Database File Format", chapter 4, has it:
 * a header of 32 bytes, then frames of 24 bytes and a page. What a server that ended in order left there is committed.
 */
const HEADER = 32;
const FRAME_HEADER = 24;
/** The last bit says in which order the words of the checksums are read. */
const MAGIC = 0x377f0682;

interface Checksum {
  a: number;
  b: number;
}

/**
 * Writes what the log holds into the file, as a checkpoint does; the log itself may go afterwards. Doing it again, or
 * in part and then again, comes to the same.
 * @param log all of the log's bytes
 * @returns the pages written; 0 where no frame was committed
 * @throws where the log is of another page size than it says
 */
export function foldLog(file: number, log: Buffer): number {
  const { pages, pageSize, size } = committed(log);
  for (const [number, at] of pages) {
    writeSync(file, log, at, pageSize, (number - 1) * pageSize);
  }
  if (size > 0) ftruncateSync(file, size * pageSize);
  return pages.size;
}

/** The newest committed frame of each page, by where its page begins in the log; and the file's pages after them. */
function committed(log: Buffer): { pages: Map<number, number>; pageSize: number; size: number } {
  const pages = new Map<number, number>();
  if (log.length < HEADER) return { pages, pageSize: 0, size: 0 };
  const magic = log.readUInt32BE(0);
  if ((magic & ~1) >>> 0 !== MAGIC) return { pages, pageSize: 0, size: 0 };
  const bigEndian = (magic & 1) === 1;
  const pageSize = log.readUInt32BE(8);
  const salts = log.subarray(16, 24);
  let sum = checksum({ a: 0, b: 0 }, log.subarray(0, 24), bigEndian);
  if (!same(sum, log, 24)) return { pages, pageSize, size: 0 };
  const open = new Map<number, number>();
  let size = 0;
  for (let at = HEADER; at + FRAME_HEADER + pageSize <= log.length; at += FRAME_HEADER + pageSize) {
    const page = at + FRAME_HEADER;
    // Frames of an earlier round have other salts: what follows the newest round is old.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break;
    sum = checksum(sum, log.subarray(at, at + 8), bigEndian);
    sum = checksum(sum, log.subarray(page, page + pageSize), bigEndian);
    if (!same(sum, log, at + 16)) break;
    open.set(log.readUInt32BE(at), page);
    const sizeAfterCommit = log.readUInt32BE(at + 4);
    if (sizeAfterCommit === 0) continue;
    for (const [number, place] of open) pages.set(number, place);
    open.clear();
    size = sizeAfterCommit;
  }
  for (const number of [...pages.keys()]) if (number > size) pages.delete(number);
  return { pages, pageSize, size };
}

function checksum({ a, b }: Checksum, bytes: Buffer, bigEndian: boolean): Checksum {
  let s0 = a;
  let s1 = b;
  for (let at = 0; at < bytes.length; at += 8) {
    const first = bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const second = bigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    s0 = (s0 + first + s1) >>> 0;
    s1 = (s1 + second + s0) >>> 0;
  }
  return { a: s0, b: s1 };
}

function same({ a, b }: Checksum, log: Buffer, at: number): boolean {
  return log.readUInt32BE(at) === a && log.readUInt32BE(at + 4) === b;
}
