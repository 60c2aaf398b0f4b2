import { insertCard } from '../src/store/card-writes';
import type { erase } from '../src/workflows/erase';
import { CompactionLane, WORKSPACE } from './support/compaction-lane';
import { describeNative } from './support/database';
import { askedIn } from './support/erasing';
import { KilledWorkers, WORKERS_SECRET } from './support/killed-workers';
import { batches, filed } from './support/night';
import { dumped, rowsWith } from './support/others-rows';
import { sendOnly } from './support/outbox';
import { plainCard } from './support/plain-card';

jest.setTimeout(900_000);

describeNative('a worker that is killed in the middle of an erasure', () => {
  let lane: CompactionLane;
  let workers: KilledWorkers;
  beforeAll(async () => {
    lane = await CompactionLane.start('dev');
    workers = await KilledWorkers.on(lane.captures);
  });
  afterAll(async () => {
    workers?.stop();
    await lane?.stop();
  });

  const SUBJECT = 'guest-7';
  /** What is left of it: rows of each kind, and how often the note that stays was written. */
  const left = async (note: string) => {
    const [row] = await lane.rows(
      `SELECT (SELECT count(*)::int FROM events e WHERE e.payload ->> 'subject' = $1) AS events,
              (SELECT count(*)::int FROM captures) AS captures,
              (SELECT count(*)::int FROM cards c WHERE c.subject = $1) AS cards,
              (SELECT count(*)::int FROM card_versions v JOIN cards c ON c.id = v.card_id WHERE c.subject = $1) AS versions,
              (SELECT count(DISTINCT t.card_id)::int FROM card_terms t JOIN cards c ON c.id = t.card_id
                WHERE c.subject = $1) AS indexed,
              (SELECT max(version)::int FROM card_versions WHERE card_id = $2) AS note,
              (SELECT count(*)::int FROM conversations) AS conversations,
              (SELECT count(*)::int FROM messages) AS messages,
              (SELECT count(*)::int FROM subjects WHERE id = $1) AS subjects,
              (SELECT count(*)::int FROM tombstones WHERE kind = 'event') AS buried,
              (SELECT status FROM erasures) AS status`,
      [SUBJECT, note],
    );
    return row;
  };

  test('leaves all of a step or nothing, and it ends the same', async () => {
    const { api, captures } = lane;
    const { database } = captures;
    await api.call('PUT', `/v1/subjects/${SUBJECT}`, { body: { name: 'Quokka' } });
    const mine = await filed(
      captures,
      WORKSPACE,
      batches('ada', [10, 20, 30], { subject: SUBJECT, task: 'quokka', input: { load: 'quokka' } }),
    );
    const [other = ''] = await filed(captures, WORKSPACE, batches('bob', [10]));
    const talk = await lane.talk('chat-1', { subject: SUBJECT });
    await lane.tell(talk, [{ role: 'user', content: 'My terrace seats quokkas only.' }]);
    const note = plainCard('Lessons: the quokka goes in batches.', new Date(), {
      ...{ kind: 'insight', agent: null, writer: { kind: 'system', id: 'consolidation' } },
    });
    const edge = { type: 'derived_from', from: note.id, confidence: 1, reason: 'told' } as const;
    await database.inWorkspace(WORKSPACE, (tx) =>
      insertCard(
        tx,
        note,
        null,
        [...mine, other].map((to) => ({ ...edge, to })),
      ),
    );
    await askedIn(
      { database, secretKey: WORKERS_SECRET, clock: () => new Date() },
      WORKSPACE,
      [{ kind: 'subject', id: SUBJECT }],
      'the quokka asked for it',
    );
    const { client } = captures.env;
    const started = await sendOnly<typeof erase>('start_erasure', database, client);
    const [handle] = [...started.values()];
    if (handle === undefined) throw new Error('nothing was started');
    const whole = {
      ...{ events: 3, captures: 4, cards: 3, versions: 3, indexed: 3, note: 1 },
      ...{ conversations: 1, messages: 1, subjects: 1, buried: 0, status: 'running' },
    };

    // Before it judges.
    await workers.killedBefore('LOCK TABLE legal_holds IN ACCESS EXCLUSIVE MODE');
    expect(await left(note.id)).toEqual(whole);

    // Before it writes again what stays.
    await workers.killedBefore(`SELECT 1 FROM cards WHERE id = '${note.id}' FOR UPDATE`);
    expect(await left(note.id)).toEqual(whole);

    // Before the events go.
    await workers.killedBefore('SELECT 1 FROM captures ORDER BY event_id LIMIT 1 FOR UPDATE');
    const again = { ...whole, note: 2 };
    expect(await left(note.id)).toEqual(again);

    // Before their cards go.
    await workers.killedBefore(`SELECT 1 FROM cards WHERE id = '${mine[1]}' FOR UPDATE`);
    const without = { ...again, events: 0, captures: 1, buried: 3 };
    expect(await left(note.id)).toEqual(without);

    // Before the conversations go.
    await workers.killedBefore('SELECT 1 FROM conversations FOR UPDATE');
    const cardless = { ...without, cards: 0, versions: 0, indexed: 0 };
    expect(await left(note.id)).toEqual(cardless);

    // Before the names go.
    await workers.killedBefore(`SELECT 1 FROM subjects WHERE id = '${SUBJECT}' FOR UPDATE`);
    const nameless = { ...cardless, conversations: 0, messages: 0 };
    expect(await left(note.id)).toEqual(nameless);

    // Before it is searched for.
    await workers.killedBefore('SELECT 1 FROM reasons FOR UPDATE');
    const gone = { ...nameless, subjects: 0 };
    expect(await left(note.id)).toEqual(gone);

    // Before it is closed.
    await workers.killedBefore('SELECT 1 FROM erasure_items FOR UPDATE');
    expect(await left(note.id)).toEqual({ ...gone, status: 'verifying' });

    workers.start();
    expect(await handle.result()).toMatchObject({
      status: 'completed',
      counts: {
        ...{ rederived: 1, kept: 0, held: 0 },
        purged: { events: 3, captures: 3, cards: 3, conversations: 1, messages: 1, subjects: 1 },
      },
    });
    expect(await left(note.id)).toEqual({ ...gone, status: 'completed' });
    const dump = await dumped((statement) => lane.rows(statement));
    expect(rowsWith(dump, ['quokka', 'Quokka', SUBJECT])).toEqual([]);
    expect([...(dump.get('erasure_items') ?? []), ...(dump.get('erasure_terms') ?? [])]).toEqual(
      [],
    );
  });
});
