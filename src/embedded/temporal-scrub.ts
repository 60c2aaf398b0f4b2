import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { foldLog } from './sqlite-log';
import { zeroFreeSpace } from './sqlite-pages';
import { overwriteNames, type WorkflowName, workflowNameOf } from './temporal-names';

/** Stands where an erasure deleted executions whose bytes are still in Temporal's file. */
const MARK = 'temporal-scrub';
const FILE = 'temporal.db';

/**
 * Temporal's file is to be scrubbed at the next moment at which no server has it open. Of workflows that were deleted
 * their ids are kept until then, as hashes.
 */
export function askForScrub(dataDir: string, workflowIds: readonly string[]): void {
  const names = workflowIds.map((id) => `${JSON.stringify(workflowNameOf(id))}\n`);
  appendFileSync(join(dataDir, MARK), names.join(''), { mode: 0o600 });
}

/**
 * Takes what was deleted out of the bytes of Temporal's file, where an erasure asked for it: its log is folded into
 * it, free space is overwritten, and so are ids of deleted workflows in tasks that wait, as one does for each closed
 * workflow until its retention ends. Called when no server runs on it. One that is cut short is done again.
 * @returns whether there was something to do
 */
export function scrubTemporal(dataDir: string): boolean {
  const mark = join(dataDir, MARK);
  const path = join(dataDir, FILE);
  if (!existsSync(mark)) return false;
  if (existsSync(path)) scrubFile(path, namesIn(readFileSync(mark, 'utf8')));
  // Its own words are about workflows, by their ids.
  for (const log of ['temporal.log', 'temporal.log.1']) rmSync(join(dataDir, log), { force: true });
  rmSync(mark, { force: true });
  return true;
}

/** A line that was cut off by a crash names nothing. */
function namesIn(text: string): WorkflowName[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as WorkflowName);
}

function scrubFile(path: string, names: readonly WorkflowName[]): void {
  const log = `${path}-wal`;
  const file = openSync(path, 'r+');
  try {
    if (existsSync(log)) foldLog(file, readFileSync(log));
    fsyncSync(file);
    rmSync(log, { force: true });
    rmSync(`${path}-shm`, { force: true });
    zeroFreeSpace(file);
    overwriteNames(file, names);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
