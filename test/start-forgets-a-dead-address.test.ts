import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from './support/program';

jest.setTimeout(180_000);

// The port that a killed Cairn had may be another program's: whoever reads its address would show that
// one the owner key, and take its answers for ours.
test('a start on the data of a killed one removes its address before it has one of its own', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-address-'));
  try {
    const left = join(dataDir, 'runtime.json');
    writeFileSync(left, JSON.stringify({ pid: 4_000_000, url: 'http://127.0.0.1:4747' }));
    // Not the Temporal CLI, so that this start never comes as far as an address.
    const program = Program.spawn(dataDir, { CAIRN_TEMPORAL_CLI: process.execPath });
    expect(await program.exited).toBe(1);
    expect(program.output.join('')).toContain('CAIRN_TEMPORAL_CLI');
    expect(existsSync(left)).toBe(false);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
