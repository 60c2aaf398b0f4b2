import { Client } from 'pg';
import { createTestDatabase } from './support/database';

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The forced end of a dropped database's connections reaches the client as an error.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

describe('databases of two test files', () => {
  it('share the migrated schema and no row', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const [first, second] = await Promise.all([connect(one.url), connect(two.url)]);
    try {
      await first.query("INSERT INTO schema_migrations (name) VALUES ('apart')");
      const count = "SELECT count(*)::int AS n FROM schema_migrations WHERE name = 'apart'";
      expect((await first.query(count)).rows).toEqual([{ n: 1 }]);
      expect((await second.query(count)).rows).toEqual([{ n: 0 }]);
    } finally {
      await Promise.all([first.end(), second.end()]);
      await Promise.all([one.drop(), two.drop()]);
    }
  });

  it('are dropped under an open connection', async () => {
    const database = await createTestDatabase();
    const client = await connect(database.url);
    await database.drop();
    await expect(client.query('SELECT 1')).rejects.toThrow();
    await expect(connect(database.url)).rejects.toThrow(/does not exist|ECONNREFUSED/);
  });
});
