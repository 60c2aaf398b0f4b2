import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The root of the installed package: it holds `package.json`, `samples` and `dist`. */
export const PACKAGE_ROOT = join(__dirname, '..', '..');

export function packageVersion(): string {
  const text = readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
