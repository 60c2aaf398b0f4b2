import { closeSync, openSync, readdirSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchedPlace } from '../contracts/erasure';
import type { DurableFiles } from '../store/erasure-places';
import type { TermSearch } from '../store/term-search';
import { askForScrub } from './temporal-scrub';

/** Read at a time: other work gets in between two parts. */
const PART = 4 * 1024 * 1024;
/** Three times as long as Temporal keeps tasks that are done (`temporal-process.ts`): they name what was deleted. */
const TASKS_GO_WITHIN_MS = 3_000;
/** Temporal's own: what was deleted stays in it until no server has it open. */
const TEMPORALS = /^temporal\.(?:db|log)/;
/** Of Cairn itself, the one before too. */
const LOGS = /^cairn\.log/;
const FILLER = '#';

/** The files under the data directory of one machine, as a durable place. */
export class DataDirectory implements DurableFiles {
  constructor(private readonly dataDir: string) {}

  async scrubTemporalLater(workflowIds: readonly string[]): Promise<void> {
    askForScrub(this.dataDir, workflowIds);
    await sleep(TASKS_GO_WITHIN_MS);
  }

  /**
   * Looks through every byte of them, but for Temporal's, which are scrubbed when it ends.
   * @param without parts of paths, of files that are left out
   */
  async search(
    search: TermSearch,
    without: readonly string[],
    onProgress: () => void,
  ): Promise<SearchedPlace[]> {
    const places = new Map<string, SearchedPlace>();
    for (const path of this.files()) {
      const name = relative(this.dataDir, path);
      if (TEMPORALS.test(name) || without.some((part) => path.endsWith(part))) continue;
      const place = name.startsWith(`postgres${sep}`)
        ? 'data directory: postgres'
        : 'data directory: logs and keys';
      const so = places.get(place) ?? { place, searched: 0, found: 0 };
      const { bytes, found } = await searchFile(path, search, onProgress);
      places.set(place, { place, searched: so.searched + bytes, found: so.found + found });
    }
    return [...places.values()];
  }

  /**
   * Overwrites the terms in our own log, byte by byte: it holds ids, and is written on meanwhile, at its end.
   */
  blackenLogs(search: TermSearch): void {
    for (const path of this.files().filter((file) => LOGS.test(relative(this.dataDir, file)))) {
      const file = openSync(path, 'r+');
      try {
        const bytes = readFileSync(path);
        for (const { at, length } of search.placesIn(bytes)) {
          writeSync(file, Buffer.alloc(length, FILLER), 0, length, at);
        }
      } finally {
        closeSync(file);
      }
    }
  }

  private files(): string[] {
    return readdirSync(this.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }
}

/** One that goes away meanwhile holds nothing. */
async function searchFile(
  path: string,
  search: TermSearch,
  onProgress: () => void,
): Promise<{ bytes: number; found: number }> {
  const found = new Set<number>();
  let read = 0;
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return { bytes: 0, found: 0 };
  }
  try {
    const buffer = Buffer.alloc(PART + search.longest);
    let kept = 0;
    for (;;) {
      const length = readSync(file, buffer, kept, PART, read);
      if (length === 0) return { bytes: read, found: found.size };
      read += length;
      const filled = kept + length;
      for (const term of search.inBytes(buffer.subarray(0, filled))) found.add(term);
      kept = Math.min(search.longest, filled);
      buffer.copy(buffer, 0, filled - kept, filled);
      onProgress();
      await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    closeSync(file);
  }
}
