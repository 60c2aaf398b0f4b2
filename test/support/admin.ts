import { Client } from 'pg';

/** `object_in_use`: two clones of one template at the same moment; the second has only to wait. */
const OBJECT_IN_USE = '55006';

/** Runs one statement on its own connection, outside any transaction. */
export async function withDatabase(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Creates a database and answers its connection string.
 *
 * @param template - database to clone; the server's own empty one when left out
 */
export async function createDatabase(
  adminUrl: string,
  name: string,
  template?: string,
): Promise<string> {
  const statement = `CREATE DATABASE ${name}${template ? ` TEMPLATE ${template}` : ''}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await withDatabase(adminUrl, statement);
      break;
    } catch (error) {
      const busy = (error as { code?: string }).code === OBJECT_IN_USE;
      if (!busy || attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}
