import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KeyFile {
  key: string;
  /** Made by this call: the first start. */
  isNew: boolean;
}

/** Reads a key of the data directory, or makes one of 256 bits there, readable by its owner only. */
export function keyFile(dataDir: string, name: 'secret.key' | 'owner.key', prefix = ''): KeyFile {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, name);
  const key = prefix + randomBytes(32).toString('base64url');
  try {
    // Exclusive: of two first starts one makes the key and the other reads it.
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
    return { key, isNew: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { key: readFileSync(path, 'utf8').trim(), isNew: false };
  }
}

/** The owner key of the environment takes the place of the one in the file: the file says what is good. */
export function keepOwnerKey(dataDir: string, key: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(join(dataDir, 'owner.key'), `${key}\n`, { mode: 0o600 });
}

export function hasOwnerKey(dataDir: string): boolean {
  return existsSync(join(dataDir, 'owner.key'));
}
