import fc from 'fast-check';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { lexicalTerms, termCount } from '../src/domain/terms';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { Database } from '../src/store/database';
import { readForRecall } from '../src/store/recall-read';
import { rollUp } from '../src/store/rollup';
import { indexVectors, vectorIndexName } from '../src/store/vector-index';
import type { ReaderArguments } from '../src/store/visible-cards';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { type Organisation, type OrgReader, organisation, readersOf } from './support/organisation';
import { COMMON_WORD, plant } from './support/organisation-plant';
import { waysOf } from './support/visibility-model';

const NOW = new Date('2026-03-02T12:00:00Z');
const LATER = new Date(NOW.getTime() + 3_600_000);
const RUNS = 60;

function readerOf(workspace: string, org: Organisation, reader: OrgReader): ReaderArguments {
  if (reader.as === 'agent') return [workspace, reader.agent, reader.person, false, null, NOW];
  const bare = reader.agent === null;
  const person = org.people.find(({ id }) => id === reader.person);
  const isMember = person?.role === 'member';
  return [
    workspace,
    reader.agent,
    null,
    bare && !isMember,
    bare && isMember ? person.subject : null,
    NOW,
  ];
}

describeNative('recall by the indexes of its arms', () => {
  const embedder = createHashedEmbedder();
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await createTestDatabase();
    database = new Database({
      url: server.url,
      connections: 2,
      acquireTimeoutMs: 30_000,
      onIdleError: () => {},
    });
  });
  afterAll(async () => {
    await database.close();
    await server.drop();
  });

  /** Vectors and postings, which planted cards have none of. */
  async function indexed(workspace: string): Promise<void> {
    await database.inWorkspace(workspace, async (tx) => {
      const cards = await tx.query<{ id: string; summary: string }>(
        'SELECT id, summary FROM cards WHERE workspace_id = $1 ORDER BY id',
        [workspace],
      );
      const vectors = await embedder.embed(cards.map(({ summary }) => summary));
      for (const [at, { id, summary }] of cards.entries()) {
        const terms = lexicalTerms(summary);
        await tx.query('DELETE FROM card_terms WHERE workspace_id = $1 AND card_id = $2', [
          workspace,
          id,
        ]);
        await tx.query(
          `INSERT INTO card_terms (workspace_id, term, card_id, frequency, length)
           SELECT $1, t.key, $2, t.value::int, $4 FROM jsonb_each_text($3::jsonb) t`,
          [workspace, id, JSON.stringify(Object.fromEntries(terms)), termCount(terms)],
        );
        await tx.query(
          `INSERT INTO card_embeddings (workspace_id, card_id, field, model, dims, embedding, card_version, created_at)
           VALUES ($1, $2, 'summary', $3, $4, $5::vector, 1, $6)`,
          [
            workspace,
            id,
            embedder.id,
            embedder.dims,
            `[${Array.from(vectors[at] ?? []).join(',')}]`,
            NOW,
          ],
        );
      }
      await rollUp(tx, LATER);
    });
  }

  /** Of the planted conflicts every second becomes lineage. */
  async function lineageAmongConflicts(workspace: string): Promise<void> {
    await database.inWorkspace(workspace, (tx) =>
      tx.query(
        `UPDATE edges e SET type = 'derived_from'
           FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM edges WHERE workspace_id = $1) n
          WHERE e.workspace_id = $1 AND e.id = n.id AND n.place % 2 = 0`,
        [workspace],
      ),
    );
  }

  async function found(
    workspace: string,
    reader: ReaderArguments,
    many: boolean,
    as: 'embedded' | 'late' | 'never' = 'embedded',
  ) {
    const [made] = await embedder.embed([COMMON_WORD]);
    const vector = as === 'embedded' ? Array.from(made ?? []) : null;
    const index =
      as === 'never' ? { model: '', dims: 1 } : { model: embedder.id, dims: embedder.dims };
    return await database.inWorkspace(workspace, (tx) =>
      readForRecall(tx, {
        reader,
        terms: [...lexicalTerms(COMMON_WORD).keys()],
        vector,
        embedder: vector === null ? '' : embedder.id,
        bareVector: null,
        older: null,
        names: [],
        from: null,
        until: null,
        arms: DEFAULT_POLICY.recall.weights.arms,
        index: many ? index : null,
        asOf: NOW,
        knownAt: NOW,
        filters: {},
        project: null,
        perArm: 100,
        reworded: [],
      }),
    );
  }

  it('shows every reader the same cards in the same ways, and the same conflicts and lineage', async () => {
    let count = 0;
    let shown = 0;
    const linked = { conflicts: 0, satisfies: 0, derived_from: 0 };
    await fc.assert(
      fc.asyncProperty(organisation, organisation, async (org, neighbour) => {
        count += 1;
        const workspace = `org-${count}`;
        await database.inWorkspace(workspace, (tx) =>
          plant((text, values) => tx.query(text, values), workspace, org, NOW),
        );
        await database.inWorkspace(`next-${count}`, (tx) =>
          plant((text, values) => tx.query(text, values), `next-${count}`, neighbour, NOW),
        );
        await indexed(workspace);
        await lineageAmongConflicts(workspace);
        for (const reader of readersOf(org).slice(0, 6)) {
          const as = readerOf(workspace, org, reader);
          const few = await found(workspace, as, false);
          const many = await found(workspace, as, true);
          const told = ({ candidates }: typeof few) =>
            candidates.map(({ id, via }) => `${id} ${[...via].sort()}`).sort();
          expect(told(many)).toEqual(told(few));
          expect(many.edges).toEqual(few.edges);
          expect(many.others).toEqual(few.others);
          // A vector that is late, or that nobody makes, leaves the words; none goes through everything for it.
          const byWords = told(await found(workspace, as, false, 'late'));
          expect(told(await found(workspace, as, true, 'late'))).toEqual(byWords);
          expect(told(await found(workspace, as, true, 'never'))).toEqual(byWords);
          for (const { type } of many.edges) linked[type] += 1;
          for (const { id, via } of many.candidates) {
            const card = org.cards.find((one) => one.id === id);
            expect([...via].sort()).toEqual(card && waysOf(org, reader, card));
            shown += 1;
          }
        }
      }),
      { numRuns: RUNS },
    );
    expect(shown).toBeGreaterThan(RUNS);
    expect(linked.conflicts).toBeGreaterThan(0);
    expect(linked.derived_from).toBeGreaterThan(0);
  }, 180_000);

  it('builds no index over few vectors', async () => {
    expect(await indexVectors(database)).toEqual([]);
    const [row] = await database.asOwner<{ found: string | null }>(
      `SELECT to_regclass('${vectorIndexName(embedder.id)}')::text AS found`,
    );
    expect(row?.found).toBeNull();
  });
});
