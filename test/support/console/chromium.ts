import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * Where a Chromium is: the file that `CAIRN_CHROMIUM` names, else the first that `PATH` has.
 *
 * @returns null where there is none
 */
export function findChromium(): string | null {
  const { CAIRN_CHROMIUM: named, PATH = '' } = process.env;
  if (named !== undefined && named !== '') return named;
  const found = PATH.split(delimiter).flatMap((folder) =>
    NAMES.map((name) => join(folder, name)).filter(mayRun),
  );
  return found[0] ?? null;
}

/** @throws Error where there is none, or where it does not start */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) {
    throw new Error('There is no Chromium: install one, or name it in CAIRN_CHROMIUM.');
  }
  // Its sandbox needs an account that is not root, and memory shared by more than a container's 64 MB.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  return await chromium.launch({ executablePath, args });
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
