import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Database, sqlState } from './database';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const SALT_BYTES = 16;
const FINGERPRINT_BYTES = 32;
/** "undefined_table": no server of this version has migrated the database yet. */
const NO_TABLE = '42P01';

/** Another process works, or worked, on this database with another key. */
export class OtherSecretKey extends Error {
  override readonly name = 'OtherSecretKey';
  constructor() {
    super(
      'the tokens and pseudonyms in this database were made with another CAIRN_SECRET_KEY (or secret.key): set that one, the same for every process; nothing was written.',
    );
  }
}

/**
 * Makes sure that this process has the key that the others have: with another one the same person would be
 * two, and a repeated event a new one. The first process leaves the salted, slow hash of its key.
 * @returns false where the database is not migrated yet
 * @throws {OtherSecretKey}
 */
export async function confirmSecretKey(
  database: Database,
  secretKey: string,
  now: Date,
): Promise<boolean> {
  const salt = randomBytes(SALT_BYTES);
  const fingerprint = await derive(secretKey, salt, FINGERPRINT_BYTES);
  const first = await firstOf(database, salt, fingerprint, now).catch((error: unknown) => {
    if (sqlState(error) === NO_TABLE) return null;
    throw error;
  });
  if (first === null) return false;
  const own = await derive(secretKey, first.key_salt, FINGERPRINT_BYTES);
  if (!timingSafeEqual(own, first.key_fingerprint)) throw new OtherSecretKey();
  return true;
}

async function firstOf(
  database: Database,
  salt: Buffer,
  fingerprint: Buffer,
  now: Date,
): Promise<{ key_salt: Buffer; key_fingerprint: Buffer }> {
  return await database.acrossWorkspaces(async (tx) => {
    await tx.query(
      `INSERT INTO installation (key_salt, key_fingerprint, created_at) VALUES ($1, $2, $3)
       ON CONFLICT (one) DO NOTHING`,
      [salt, fingerprint, now],
    );
    return await tx.one('SELECT key_salt, key_fingerprint FROM installation');
  });
}
