import { Client } from 'pg';
import { Database } from '../src/store/database';
import { INDEXED_FROM, indexVectors, vectorIndexName } from '../src/store/vector-index';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';

const MODEL = 'of-eight';

describeNative('the index over the vectors of a model', () => {
  let server: TestDatabase;
  let database: Database;
  let client: Client;
  beforeAll(async () => {
    server = await createTestDatabase();
    database = new Database({
      ...{ url: server.url, connections: 2, acquireTimeoutMs: 30_000, onIdleError: () => {} },
    });
    client = new Client({ connectionString: server.url });
    await client.connect();
    // Vectors alone: what an index is built over, without the cards that they are of.
    await client.query(`BEGIN;
      SET LOCAL session_replication_role = replica;
      INSERT INTO card_embeddings (workspace_id, card_id, field, model, dims, embedding, card_version, created_at)
      SELECT 'default', 'card-' || n, 'summary', '${MODEL}', 8,
             ARRAY[n, n % 7, n % 11, 1, 2, 3, 4, 5]::real[]::vector, 1, now()
        FROM generate_series(1, ${INDEXED_FROM + 100}) n;
      COMMIT`);
    await client.query('ANALYZE card_embeddings');
  });
  afterAll(async () => {
    await client.end();
    await database.close();
    await server.drop();
  });

  const indexes = async () => {
    const { rows } = await client.query<{ indexname: string; indexdef: string }>(
      `SELECT indexname, indexdef FROM pg_indexes WHERE indexname LIKE 'card_embeddings_near_%' ORDER BY 1`,
    );
    return rows;
  };

  it('takes the place of one that was built another way, and of no other model', async () => {
    const own = vectorIndexName(MODEL);
    const older = own.replace(/_\d+$/, '');
    const another = 'card_embeddings_near_0000000000000000';
    for (const name of [older, another]) {
      await client.query(`CREATE INDEX ${name} ON card_embeddings
        USING hnsw ((embedding::vector(8)) vector_cosine_ops) WHERE model = '${MODEL}'`);
    }
    expect(await indexVectors(database)).toEqual([own]);
    expect((await indexes()).map(({ indexname }) => indexname)).toEqual([another, own].sort());
    expect((await indexes()).find(({ indexname }) => indexname === own)?.indexdef).toContain(
      "ef_construction='400'",
    );
    expect(await indexVectors(database)).toEqual([]);
  });
});
