import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditExportLine } from '../contracts/audit';
import { Failed, WrongUse } from './failure';

export interface Exported {
  rows: number;
  seals: number;
  head: string | null;
}

/**
 * Writes an export to a file that was not there before: what proves something is not written over, and
 * one that broke off is taken away.
 */
export async function exportTo(
  file: string,
  lines: AsyncIterable<AuditExportLine>,
): Promise<Exported> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') {
      throw new WrongUse(`${file} is there already: name another file.`);
    }
    throw new Failed(`${file} cannot be written: ${error.message}`);
  });
  const done: Exported = { rows: 0, seals: 0, head: null };
  try {
    await pipeline(Readable.from(textOf(lines, done)), handle.createWriteStream());
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return done;
}

async function* textOf(
  lines: AsyncIterable<AuditExportLine>,
  done: Exported,
): AsyncGenerator<string> {
  for await (const line of lines) {
    if (line.type === 'audit' || line.type === 'access') done.rows += 1;
    if (line.type === 'seal') done.seals += 1;
    if (line.type === 'end') done.head = line.head ?? null;
    yield `${JSON.stringify(line)}\n`;
  }
}
