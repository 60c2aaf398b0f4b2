import fc from 'fast-check';
import { Client } from 'pg';
import { CARD_STATUSES, PERSON_ROLES, RECALLED_STATUSES } from '../src/contracts/names';
import { mayBeSeen, READER_PATHS } from '../src/store/visible-cards';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import {
  LIVE,
  type Organisation,
  type OrgReader,
  organisation,
  ROLES,
  readersOf,
  STATUSES,
} from './support/organisation';
import { plant } from './support/organisation-plant';
import { waysOf } from './support/visibility-model';

const NOW = new Date('2026-03-02T12:00:00Z');
const RUNS = 300;

/** Everybody's view at once; without row-level security, so that the second wall hides nothing. */
const ASK_FOR_ALL = `
  SELECT r.reader, v.card_id, v.via
    FROM jsonb_to_recordset($2::jsonb)
      r (reader int, agent text, person text, everything boolean, subject text)
   CROSS JOIN LATERAL visible_cards($1, r.agent, r.person, r.everything, r.subject, $3) v`;

/** The same asked of each card, and as a sieve for a scan: three answers that have to be one. */
const ASK_OF_EACH = `
  SELECT r.reader, v.card_id, v.via
    FROM jsonb_to_recordset($2::jsonb)
      r (reader int, agent text, person text, everything boolean, subject text)
   CROSS JOIN LATERAL visible_among($1, r.agent, r.person, r.everything, r.subject, $3,
                                    ARRAY(SELECT id FROM cards WHERE workspace_id = $1)) v`;
const SIFT = `
  WITH paths AS MATERIALIZED (${READER_PATHS}
  )
  SELECT c.id FROM cards c
   WHERE c.workspace_id = $1 AND ${mayBeSeen('c')}
     AND (c.expires_at IS NULL OR c.expires_at > $6) AND c.status IN ('pending', 'active', 'validated')`;

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

/** Of an agent those of its own, of a subject those about it. */
const hasCards = ({ cards }: Organisation, id: string): boolean =>
  cards.some(({ scopeId, subject }) => scopeId === id || subject === id);

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

  async function seen(workspace: string, org: Organisation, ask = ASK_FOR_ALL): Promise<string[]> {
    const readers = readersOf(org).map((reader, index) => ({
      reader: index,
      ...argumentsOf(org, reader),
    }));
    const { rows } = await client.query<{ reader: number; card_id: string; via: string }>(ask, [
      workspace,
      JSON.stringify(readers),
      NOW,
    ]);
    return [...new Set(rows.map((row) => `${row.reader} ${row.card_id} ${row.via}`))].sort();
  }

  /** For one reader of each organisation, another each time. */
  async function expectSieve(workspace: string, org: Organisation): Promise<void> {
    const readers = readersOf(org);
    const reader = readers[org.cards.length % readers.length];
    if (reader === undefined) return;
    const { agent, person, everything, subject } = argumentsOf(org, reader);
    const { rows } = await client.query<{ id: string }>(SIFT, [
      workspace,
      agent,
      person,
      everything,
      subject,
      NOW,
    ]);
    const usable = org.cards.filter(({ status }) =>
      ['pending', 'active', 'validated'].includes(status),
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(
      usable
        .filter((card) => waysOf(org, reader, card).length > 0)
        .map(({ id }) => id)
        .sort(),
    );
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
    const off = { workspaces: 0, agents: 0, subjects: 0 };
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
        expect(await seen(`org-${count}`, org, ASK_OF_EACH)).toEqual(found);
        await expectSieve(`org-${count}`, org);
        if (org.cards.length > 0 && org.isOff === true) off.workspaces += 1;
        off.agents += org.agents.filter(({ id, isOff }) => isOff && hasCards(org, id)).length;
        off.subjects += org.subjects.filter(({ id, isOff }) => isOff && hasCards(org, id)).length;
        for (const line of found) {
          const via = line.split(' ')[2] ?? '';
          ways.set(via, (ways.get(via) ?? 0) + 1);
        }
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(...Object.values(off))).toBeGreaterThan(0);
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

  it('has no status and no role that the model was not told of', () => {
    expect(STATUSES).toEqual(CARD_STATUSES);
    expect(LIVE).toEqual(RECALLED_STATUSES);
    expect(ROLES).toEqual(PERSON_ROLES);
  });
});
