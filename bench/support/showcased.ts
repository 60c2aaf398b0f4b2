import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plantShowcase, type Showcase } from '../../test/support/console/seed/showcase';
import { Workspace } from '../../test/support/console/workspace';
import { Program } from '../../test/support/program';

export interface Showcased {
  workspace: Workspace;
  planted: Showcase;
  stop(): Promise<void>;
}

/** A Cairn as `npm start` makes one, on a folder of its own, with one of everything that a page shows. */
export async function startShowcase(note: (line: string) => void): Promise<Showcased> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-showcase-'));
  note('Starting a Cairn…');
  const program = await Program.start(dataDir, { CAIRN_LOG_LEVEL: 'warn' });
  const stop = async () => {
    await program.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const stack = { url: program.runtime.url, ownerKey: program.ownerKey };
    const workspace = await Workspace.make(stack);
    note('Filling it…');
    return { workspace, planted: await plantShowcase(workspace), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
