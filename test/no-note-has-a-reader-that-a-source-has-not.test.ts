import fc from 'fast-check';
import { Client } from 'pg';
import { Database } from '../src/store/database';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { consolidateByHand } from './support/night';
import {
  HOUR_MS,
  type Organisation,
  type OrgReader,
  organisation,
  readersOf,
} from './support/organisation';
import { plant, plantVersions } from './support/organisation-plant';

jest.setTimeout(300_000);

const NOW = new Date('2026-03-02T12:00:00Z');
/** Grants and cards end at some of these moments. */
const MOMENTS = [0, 2, 25].map((hours) => new Date(NOW.getTime() + hours * HOUR_MS));

const ASK = `
  SELECT r.reader, v.card_id
    FROM jsonb_to_recordset($2::jsonb)
      r (reader int, agent text, person text, everything boolean, subject text)
   CROSS JOIN LATERAL visible_cards($1, r.agent, r.person, r.everything, r.subject, $3) v`;

function asked(org: Organisation, reader: OrgReader) {
  if (reader.as === 'agent') {
    return { agent: reader.agent, person: reader.person, everything: false, subject: null };
  }
  const person = org.people.find(({ id }) => id === reader.person);
  const isMember = person?.role === 'member';
  const isBare = reader.agent === null;
  return {
    agent: reader.agent,
    person: null,
    everything: isBare && !isMember,
    subject: isBare && isMember ? person.subject : null,
  };
}

/** Three cards each of one scope, about one subject, shared with the same, though not for as long. */
const inThrees = organisation
  .filter(({ cards }) => cards.length >= 9)
  .map((org): Organisation => {
    const triple = (id: string) => Math.floor(Number(id.split('-')[1]) / 3);
    const firsts = org.cards.filter((_, at) => at % 3 === 0);
    const of = (id: string) => org.cards.filter((card) => triple(card.id) === triple(id));
    const spread = <G extends { card: string; expires: number | null }>(
      grants: readonly G[],
      who: (grant: G) => string,
    ): G[] => {
      const all = grants.flatMap((grant, at) =>
        of(grant.card).map((card, n) => ({
          ...grant,
          card: card.id,
          expires: n === at % 3 ? grant.expires : null,
        })),
      );
      return [...new Map(all.map((grant) => [`${grant.card} ${who(grant)}`, grant])).values()];
    };
    return {
      ...org,
      cards: org.cards.map((card) => {
        const { scopeType, scopeId, visibility, subject } = firsts[triple(card.id)] ?? card;
        return { ...card, scopeType, scopeId, visibility, subject };
      }),
      grants: spread(org.grants, ({ agent }) => agent),
      groupGrants: spread(org.groupGrants, ({ group }) => group),
      idleGrants: [],
      edges: [],
    };
  });

describeNative('a note', () => {
  let testDatabase: TestDatabase;
  let database: Database;
  let client: Client;
  let count = 0;
  let notes = 0;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = new Database({
      url: testDatabase.url,
      connections: 4,
      acquireTimeoutMs: 20_000,
      onIdleError: () => undefined,
    });
    client = new Client({ connectionString: testDatabase.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.close();
    await testDatabase.drop();
  });

  /** Who sees which card at a moment: `reader card`. */
  async function seen(workspace: string, org: Organisation, at: Date): Promise<Set<string>> {
    const readers = readersOf(org).map((reader, n) => ({ reader: n, ...asked(org, reader) }));
    const { rows } = await client.query<{ reader: number; card_id: string }>(ASK, [
      workspace,
      JSON.stringify(readers),
      at,
    ]);
    return new Set(rows.map(({ reader, card_id }) => `${reader} ${card_id}`));
  }

  async function expectNothingWider(org: Organisation): Promise<void> {
    count += 1;
    const workspace = `org-${count}`;
    await plant((statement, values) => client.query(statement, values), workspace, org, NOW);
    await client.query(
      `UPDATE cards SET kind = 'experience', tier = 'episodic', sign = 'worked', key = NULL,
              service = 'mailer', operation = 'send_batch'
        WHERE workspace_id = $1`,
      [workspace],
    );
    await plantVersions((statement, values) => client.query(statement, values), workspace);
    const before: Set<string>[] = [];
    for (const at of MOMENTS) before.push(await seen(workspace, org, at));
    const scopes = new Map(
      org.cards.map(({ scopeType: type, scopeId }) => [
        `${type} ${scopeId}`,
        { type, id: scopeId ?? workspace },
      ]),
    );
    for (const scope of scopes.values()) await consolidateByHand(database, workspace, scope, NOW);
    const { rows } = await client.query<{ note: string; source: string }>(
      `SELECT e.from_card AS note, e.to_card AS source
         FROM edges e JOIN cards n ON n.workspace_id = e.workspace_id AND n.id = e.from_card
        WHERE e.workspace_id = $1 AND e.type = 'derived_from' AND n.kind = 'insight'`,
      [workspace],
    );
    notes += new Set(rows.map(({ note }) => note)).size;
    for (const [at, moment] of MOMENTS.entries()) {
      const now = await seen(workspace, org, moment);
      for (const [reader] of readersOf(org).entries()) {
        for (const { note, source } of rows) {
          if (!now.has(`${reader} ${note}`)) continue;
          expect([reader, source, before[at]?.has(`${reader} ${source}`)]).toEqual([
            reader,
            source,
            true,
          ]);
        }
      }
    }
  }

  test('has no reader, now or later, that each of its sources has not', async () => {
    await fc.assert(fc.asyncProperty(inThrees, expectNothingWider), { numRuns: 150 });
    expect(notes).toBeGreaterThan(5);
  });
});
