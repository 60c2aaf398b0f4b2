import { readSync, writeSync } from 'node:fs';

/**
 * The free space of a SQLite file that nobody has open, by its "Database File Format": pages that are free, what lies
 * between the cells of a page of a tree, and what lies behind the end of a value on its last page. SQLite keeps there
 * what was deleted until something else needs the room.
 */
const FILE_HEADER = 100;
const MAGIC = 'SQLite format 3\0';
/** Of a tree's page, by its first byte: where its cells are listed, and whether they hold values. */
const TREE_PAGES: Readonly<Record<number, { header: number; leaf: boolean; table: boolean }>> = {
  2: { header: 12, leaf: false, table: false },
  5: { header: 12, leaf: false, table: true },
  10: { header: 8, leaf: true, table: false },
  13: { header: 8, leaf: true, table: true },
};
const FREE_BLOCK_HEADER = 4;

/**
 * Overwrites all of that with zeros. What is stored, and every page's structure, stays as it is.
 * @returns pages that were written
 * @throws where the file is none of SQLite's
 */
export function zeroFreeSpace(file: number): number {
  const head = Buffer.alloc(FILE_HEADER);
  if (readSync(file, head, 0, FILE_HEADER, 0) === 0) return 0;
  if (head.toString('latin1', 0, 16) !== MAGIC) throw new Error('this is no SQLite file');
  const size = head.readUInt16BE(16);
  const pageSize = size === 1 ? 65_536 : size;
  const usable = pageSize - (head[20] ?? 0);
  const tails = new Map<number, number>();
  const free = freePages(file, pageSize, head.readUInt32BE(32));
  const page = Buffer.alloc(pageSize);
  let written = 0;
  const rewrite = (number: number, zero: (page: Buffer) => void): void => {
    const read = readSync(file, page, 0, pageSize, (number - 1) * pageSize);
    if (read < pageSize) return;
    const before = Buffer.from(page);
    zero(page);
    if (before.equals(page)) return;
    writeSync(file, page, 0, pageSize, (number - 1) * pageSize);
    written += 1;
  };
  for (let number = 1; number <= free.last; number += 1) {
    const leaves = free.trunks.get(number);
    if (leaves !== undefined) rewrite(number, (bytes) => bytes.fill(0, 8 + 4 * leaves));
    else if (free.leaves.has(number)) rewrite(number, (bytes) => bytes.fill(0));
    else rewrite(number, (bytes) => zeroGaps(bytes, number === 1 ? FILE_HEADER : 0, usable, tails));
  }
  for (const [first, length] of tails) {
    zeroTail(file, { first, length, pageSize, usable }, rewrite);
  }
  return written;
}

interface FreePages {
  /** How many leaves each trunk lists. */
  trunks: Map<number, number>;
  leaves: Set<number>;
  last: number;
}

function freePages(file: number, pageSize: number, firstTrunk: number): FreePages {
  const trunks = new Map<number, number>();
  const leaves = new Set<number>();
  const page = Buffer.alloc(pageSize);
  let last = 0;
  while (readSync(file, page, 0, pageSize, last * pageSize) === pageSize) last += 1;
  for (let next = firstTrunk; next > 0 && !trunks.has(next); ) {
    readSync(file, page, 0, pageSize, (next - 1) * pageSize);
    const count = Math.min(page.readUInt32BE(4), Math.floor(pageSize / 4) - 2);
    trunks.set(next, count);
    for (let n = 0; n < count; n += 1) leaves.add(page.readUInt32BE(8 + 4 * n));
    next = page.readUInt32BE(0);
  }
  return { trunks, leaves, last };
}

/** Of a page of a tree; others are left. Notes in `tails` where its long values go on: the first page, and how long. */
function zeroGaps(page: Buffer, at: number, usable: number, tails: Map<number, number>): void {
  const kind = TREE_PAGES[page[at] ?? 0];
  if (kind === undefined) return;
  const cells = page.readUInt16BE(at + 3);
  const listed = at + kind.header + 2 * cells;
  const content = page.readUInt16BE(at + 5) || 65_536;
  if (content > usable || listed > content) return;
  page.fill(0, listed, content);
  for (let block = page.readUInt16BE(at + 1); block >= content && block + 4 <= usable; ) {
    const next = page.readUInt16BE(block);
    const size = page.readUInt16BE(block + 2);
    page.fill(0, block + FREE_BLOCK_HEADER, Math.min(block + size, usable));
    if (next <= block) break;
    block = next;
  }
  if (kind.table && !kind.leaf) return;
  for (let n = 0; n < cells; n += 1) {
    const cell = page.readUInt16BE(at + kind.header + 2 * n);
    const [length, afterLength] = varint(page, cell + (kind.leaf ? 0 : 4));
    const start = kind.table ? varint(page, afterLength)[1] : afterLength;
    const here = localPart(length, usable, kind.table);
    if (here < length) tails.set(page.readUInt32BE(start + here), length - here);
  }
}

/** How many bytes of a value its own page holds. */
function localPart(length: number, usable: number, table: boolean): number {
  const most = table ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  return fitting <= most ? fitting : least;
}

function varint(page: Buffer, at: number): [number, number] {
  let value = 0;
  for (let n = 0; n < 8; n += 1) {
    const byte = page[at + n] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + n + 1];
  }
  return [value * 256 + (page[at + 8] ?? 0), at + 9];
}

/** Follows a long value to its last page, and overwrites what lies behind its end. */
function zeroTail(
  file: number,
  {
    first,
    length,
    pageSize,
    usable,
  }: { first: number; length: number; pageSize: number; usable: number },
  rewrite: (number: number, zero: (page: Buffer) => void) => void,
): void {
  const link = Buffer.alloc(4);
  let number = first;
  let left = length;
  while (left > usable - 4) {
    if (readSync(file, link, 0, 4, (number - 1) * pageSize) < 4) return;
    number = link.readUInt32BE(0);
    if (number === 0) return;
    left -= usable - 4;
  }
  rewrite(number, (page) => page.fill(0, 4 + left, usable));
}
