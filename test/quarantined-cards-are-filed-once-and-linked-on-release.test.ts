import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { distill } from '../src/domain/distill/distill';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import type { NewCard } from '../src/store/card-writes';
import { draftToFile, fileDraft } from '../src/store/filing';
import { readCapture } from '../src/store/filing-admission';
import { completeConcurrent } from '../src/store/filing-concurrent';
import type { Answer, CallOptions, Method } from './support/api';
import { describeNative } from './support/database';
import { HOUR, MINUTE } from './support/filing';
import {
  AGENT,
  booking,
  failure,
  PLANTED,
  type QuarantineLane,
  startQuarantineLane,
} from './support/quarantine';

const embedder = createHashedEmbedder();

let lane: QuarantineLane;
let reviewer: string;
beforeAll(async () => {
  lane = await startQuarantineLane();
  reviewer = lane.reviewer;
});
afterAll(() => lane.close());
beforeEach(() => lane.clock.advance(HOUR));

const as = (
  key: string,
  method: Method,
  path: string,
  options: Omit<CallOptions, 'key'> = {},
): Promise<Answer> => lane.api.call(method, path, { ...options, key });

const edgesOf = (id: string | null) =>
  lane.rows<{ type: string; from_card: string; to_card: string }>(
    'SELECT type, from_card, to_card FROM edges WHERE from_card = $1 OR to_card = $1',
    [id],
  );

const release = (id: string | null) =>
  as(reviewer, 'POST', `/v1/cards/${id}/release`, { body: { reason: 'harmless' } });

const edgesBetween = async (one: string | null, other: string) =>
  (await edgesOf(one)).filter((edge) => [edge.from_card, edge.to_card].includes(other));

describe('a card that a person releases', () => {
  it('gets the edges that it would have, in both directions of time', async () => {
    const before = await lane.filing.card(booking('hostel'));
    lane.clock.advance(HOUR);
    const { card_id: held } = await lane.filing.file(failure('hostel'), AGENT);
    lane.clock.advance(HOUR);
    const after = await lane.filing.card({ ...booking('hostel'), input: { hotel: 'Miramar' } });
    expect(await edgesOf(held)).toEqual([]);

    expect((await release(held)).body).toMatchObject({ status: 'pending', version: 2 });
    const edges = await edgesOf(held);
    expect(edges).toContainEqual({ type: 'conflicts', from_card: held, to_card: before });
    expect(edges).toContainEqual({ type: 'satisfies', from_card: after, to_card: held });
  });

  it('keeps those that it had, and gets none of them twice', async () => {
    const worked = await lane.filing.card(booking('motel'));
    lane.clock.advance(HOUR);
    const failed = await lane.filing.card(failure('motel', 'no rooms left'), AGENT);
    const before = await edgesOf(failed);
    expect(await edgesBetween(failed, worked)).toEqual([
      { type: 'conflicts', from_card: failed, to_card: worked },
    ]);
    await as(reviewer, 'POST', `/v1/cards/${failed}/quarantine`, { body: {} });
    expect((await release(failed)).status).toBe(200);
    expect(await edgesOf(failed)).toEqual(before);
  });

  it('gets none where what it goes back to is out of use as well', async () => {
    const failed = await lane.filing.card(failure('villa', 'no rooms left'), AGENT);
    await as(reviewer, 'POST', `/v1/cards/${failed}/validation`, { body: { verdict: 'wrong' } });
    await as(reviewer, 'POST', `/v1/cards/${failed}/quarantine`, { body: {} });
    const worked = await lane.filing.card(booking('villa'));
    expect((await release(failed)).body).toMatchObject({ status: 'rejected' });
    expect(await edgesBetween(failed, worked)).toEqual([]);
  });
});

/** What follows a filing's commit, with nothing seen of the other cards before it. */
async function lookOnceMore(eventId: string): Promise<void> {
  await lane.api.database.inWorkspace('default', async (tx) => {
    const found = await readCapture(tx, eventId);
    if (found?.event == null || found.record === null) throw new Error('not filed');
    const toFile = draftToFile(found, distill(found.event, []));
    if (toFile === null) throw new Error('no payload');
    const [row] = await tx.query<{ card: Record<string, unknown> }>(
      'SELECT to_jsonb(c) AS card FROM cards c WHERE event_id = $1',
      [eventId],
    );
    const card = {
      ...row?.card,
      hints: row?.card,
      scope: { type: 'agent', id: found.event.agent },
      inputFields: toFile.draft.input_fields,
      validFrom: found.event.occurred_at,
    } as unknown as NewCard;
    const filing = {
      toFile,
      operationId: found.operationId,
      vector: null,
      embedder: { id: embedder.id, makesVectors: true },
      workflowId: null,
      runId: null,
      now: lane.clock.now(),
    };
    await completeConcurrent(tx, filing, { record: found.record, card, compared: [] });
  });
}

describe('two cards that are filed at the same moment', () => {
  const linkedAnew = async (
    service: string,
    error: string | undefined,
    meanwhile: (id: string) => Promise<unknown>,
  ) => {
    const worked = await lane.filing.card(booking(service));
    lane.clock.advance(MINUTE / 2);
    const failed = await lane.filing.file(failure(service, error), AGENT);
    await lane.rows('DELETE FROM edges WHERE from_card = $1 OR to_card = $1', [worked]);
    await meanwhile(failed.card_id as string);
    await lookOnceMore(failed.event_id);
    const id = failed.card_id;
    return (await edgesBetween(id, worked)).map(({ type }) => type);
  };

  it('are compared after their commits where both are in use', async () => {
    expect(await linkedAnew('lodge', 'no rooms left', async () => {})).toEqual(['conflicts']);
  });

  it('are not where one is held back', async () => {
    expect(await linkedAnew('cabin', undefined, async () => {})).toEqual([]);
  });

  it('are not where somebody quarantined one between the commits', async () => {
    const quarantine = (id: string) =>
      as(reviewer, 'POST', `/v1/cards/${id}/quarantine`, { body: {} });
    expect(await linkedAnew('tent', 'no rooms left', quarantine)).toEqual([]);
  });
});

describeNative('the same planted content under two ids at the same moment', () => {
  it('is one card, whoever commits first', async () => {
    const page = { operation: 'read_forum', output: PLANTED };
    const ended = await Promise.allSettled(
      Array.from({ length: 4 }, () => lane.filing.file(page, AGENT)),
    );
    const ends = ended.map((one) =>
      one.status === 'fulfilled' ? one.value.disposition : String(one.reason),
    );
    expect(ends.filter((end) => end === 'quarantined')).toHaveLength(1);
    expect(ends.filter((end) => end.includes('duplicate_content'))).toHaveLength(3);
    const filed = `SELECT event_id FROM cards WHERE operation = 'read_forum'`;
    expect(await lane.rows(filed)).toHaveLength(1);
    expect(
      await lane.rows(
        `SELECT event_id FROM captures WHERE card_id IS NOT NULL AND event_id IN (${filed})`,
      ),
    ).toHaveLength(1);
  });

  it('is refused by the index where the first was not seen to commit', async () => {
    const page = { operation: 'read_board', output: PLANTED };
    const first = await lane.filing.file(page, AGENT);
    await lane.rows(
      `WITH e AS (
         INSERT INTO events SELECT workspace_id, 'twin-1', agent_id, reporter_kind, reporter_id, kind, outcome,
                occurred_at, recorded_at, jsonb_set(payload, '{event_id}', '"twin-1"'), content_hash, dedupe_hash
           FROM events WHERE event_id = $1 RETURNING event_id
       )
       INSERT INTO captures (workspace_id, event_id, operation_id, workflow_id, disposition, dedupe_hash, created_at)
       SELECT workspace_id, 'twin-1', 'op_twin', 'capture/default/twin-1', 'pending', dedupe_hash, created_at
         FROM captures, e WHERE captures.event_id = $1`,
      [first.event_id],
    );
    const filing = lane.api.database.inWorkspace('default', async (tx) => {
      const found = await readCapture(tx, 'twin-1');
      if (found?.event == null) throw new Error('not recorded');
      const toFile = draftToFile(found, distill(found.event, []));
      if (toFile === null) throw new Error('no payload');
      return await fileDraft(tx, {
        toFile,
        operationId: found.operationId,
        vector: null,
        embedder: { id: embedder.id, makesVectors: true },
        workflowId: null,
        runId: null,
        now: lane.clock.now(),
      });
    });
    await expect(filing).rejects.toMatchObject({ constraint: 'captures_one_card_per_content' });
  });
});

describeNative('a database from before captures named what they hold back', () => {
  it('names the first card of each content, and keeps what was carded', async () => {
    const client = new Client({ connectionString: lane.api.testDatabase.url });
    await client.connect();
    try {
      await client.query(`BEGIN;
        SET LOCAL session_replication_role = 'replica';
        DELETE FROM captures;
        ALTER TABLE captures DROP CONSTRAINT captures_name_their_card;
        ALTER TABLE captures ADD CONSTRAINT captures_check
          CHECK ((disposition = 'carded') = (card_id IS NOT NULL));
        INSERT INTO captures (workspace_id, event_id, operation_id, workflow_id, disposition, card_id, dedupe_hash,
                              created_at, settled_at)
        SELECT 'default', e, 'op-' || e, 'w', d, c, h::bytea, now(), now() + s * interval '1 second'
          FROM (VALUES ('a', 'carded', 'card_a', 'x', 1), ('b', 'quarantined', NULL, 'x', 2),
                       ('c', 'quarantined', NULL, 'y', 4), ('d', 'quarantined', NULL, 'y', 3),
                       ('e', 'quarantined', NULL, NULL, 5)) AS v (e, d, c, h, s);
        INSERT INTO runs (workspace_id, id, type, state, result, workflow_id, created_at)
        SELECT 'default', operation_id, 'capture', 'completed',
               jsonb_build_object('card_id', 'card_' || event_id), 'w', now() FROM captures`);
      const file = join(__dirname, '../src/store/migrations/0014-quarantine.sql');
      await client.query(readFileSync(file, 'utf8'));
      const { rows: named } = await client.query(
        'SELECT event_id, card_id FROM captures ORDER BY event_id',
      );
      expect(named.map(({ event_id, card_id }) => [event_id, card_id])).toEqual([
        ['a', 'card_a'],
        ['b', null],
        ['c', null],
        ['d', 'card_d'],
        ['e', 'card_e'],
      ]);
      const broken = client.query("UPDATE captures SET card_id = NULL WHERE event_id = 'a'");
      await expect(broken).rejects.toMatchObject({ constraint: 'captures_name_their_card' });
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
  });
});
