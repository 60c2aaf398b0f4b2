import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPglite } from '../src/embedded/pglite-process';

// A busy machine takes its time over the start of a database.
jest.setTimeout(180_000);

// PGlite by itself answers the second of these with no rows and no error.
it('refuses a statement that is nested too deep, and ends when one breaks it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-pglite-'));
  const postgres = await startPglite({ dataDir, log: () => undefined });
  const client = new Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await expect(client.query('SELECT $1::jsonb', [nested(8_000)])).rejects.toThrow(
      'stack depth limit exceeded',
    );
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    const { rows } = await client.query('SELECT $1::jsonb AS value', [nested(100)]);
    expect(JSON.stringify(rows)).toBe(`[{"value":${nested(100)}}]`);

    await expect(client.query('SELECT $1::jsonb', [nested(100_000)])).rejects.toThrow(
      /terminated|ECONNRESET/,
    );
    expect(await postgres.exited).toMatch(/^status 70 .*Maximum call stack size exceeded/s);
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true });
  }
});

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
