import fc from 'fast-check';
import { Client } from 'pg';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import {
  type Organisation,
  type OrgReader,
  organisation,
  plant,
  readersOf,
  waysOf,
} from './support/organisation';

const NOW = new Date('2026-03-02T12:00:00Z');
const RUNS = 300;

/** Everybody's view at once; without row-level security, so that the second wall hides nothing. */
const ASK_FOR_ALL = `
  SELECT r.reader, v.card_id, v.via
    FROM jsonb_to_recordset($2::jsonb)
      r (reader int, agent text, person text, everything boolean, subject text)
   CROSS JOIN LATERAL visible_cards($1, r.agent, r.person, r.everything, r.subject, $3) v`;

function argumentsOf(org: Organisation, reader: OrgReader) {
  if (reader.as === 'agent') {
    return { agent: reader.agent, person: reader.person, everything: false, subject: null };
  }
  const bare = reader.agent === null;
  const person = org.people.find(({ id }) => id === reader.person);
  const isMember = person?.role === 'member';
  return {
    agent: reader.agent,
    person: null,
    everything: bare && !isMember,
    subject: bare && isMember ? person.subject : null,
  };
}

describeNative('the one read path', () => {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function seen(workspace: string, org: Organisation): Promise<string[]> {
    const readers = readersOf(org).map((reader, index) => ({
      reader: index,
      ...argumentsOf(org, reader),
    }));
    const { rows } = await client.query<{ reader: number; card_id: string; via: string }>(
      ASK_FOR_ALL,
      [workspace, JSON.stringify(readers), NOW],
    );
    return [...new Set(rows.map((row) => `${row.reader} ${row.card_id} ${row.via}`))].sort();
  }

  function expected(org: Organisation): string[] {
    return readersOf(org)
      .flatMap((reader, index) =>
        org.cards.flatMap((card) =>
          waysOf(org, reader, card).map((via) => `${index} ${card.id} ${via}`),
        ),
      )
      .sort();
  }

  it(`agrees with the model for every reader, card and way of ${RUNS} organisations`, async () => {
    const ways = new Map<string, number>();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(organisation, organisation, async (org, neighbour) => {
        count += 1;
        const run = (text: string, values: unknown[]) => client.query(text, values);
        // Two workspaces whose agents, people and cards have the same ids, and other owners.
        await plant(run, `org-${count}`, org, NOW);
        await plant(run, `next-${count}`, neighbour, NOW);
        const found = await seen(`org-${count}`, org);
        expect(found).toEqual(expected(org));
        for (const line of found) {
          const via = line.split(' ')[2] ?? '';
          ways.set(via, (ways.get(via) ?? 0) + 1);
        }
      }),
      { numRuns: RUNS },
    );
    // A model and a function that both see nothing would agree as well.
    expect([...ways.keys()].sort()).toEqual([
      'agent_group',
      'ancestor',
      'explicit',
      'household',
      'organization',
      'own',
      'person',
      'predecessor',
      'team',
      'workspace',
    ]);
  });
});
