import { BOOKING, LearningLane } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

const TASK = { task: 'a flight', calls: BOOKING };

/** Fails the first time, and then does what it does. */
function once(failure: () => Promise<void>) {
  let isFirst = true;
  return async () => {
    if (!isFirst) return;
    isFirst = false;
    await failure();
  };
}

async function counted(ws: string) {
  const [row] = await lane.rows<Record<string, number>>(
    ws,
    `SELECT (SELECT count(*)::int FROM skills) AS skills,
            (SELECT count(*)::int FROM skill_versions WHERE status = 'current') AS current,
            (SELECT count(*)::int FROM skill_tests) AS tests,
            (SELECT count(*)::int FROM cards c WHERE c.kind = 'skill_lesson') AS cards,
            (SELECT count(*)::int FROM run_changes) AS changes,
            (SELECT count(*)::int FROM runs WHERE type = 'learning') AS runs`,
  );
  return row;
}
const WHOLE = { skills: 1, current: 1, tests: 2, cards: 1, changes: 1, runs: 1 };

describe('a learning loop that is cut short', () => {
  test('between writing a skill and putting it in use leaves nothing, and then all of it', async () => {
    const ws = await lane.workspace();
    await lane.captures.asOwner(`
      CREATE FUNCTION cut_short() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'cut short'; END $$;
      CREATE TRIGGER cut_short BEFORE UPDATE OF current_version ON skills FOR EACH ROW
        WHEN (NEW.current_version IS NOT NULL) EXECUTE FUNCTION cut_short();`);
    await lane.file(ws, TASK);
    const seen: unknown[] = [];
    const mend = once(() => lane.captures.asOwner('DROP FUNCTION cut_short CASCADE'));
    await lane.run({
      around: (real) => ({
        ...real,
        fileSkill: async (input) => {
          try {
            return await real.fileSkill(input);
          } catch (error) {
            seen.push(await counted(ws));
            await mend();
            throw error;
          }
        },
      }),
    });
    expect(seen).toEqual([{ ...WHOLE, skills: 0, current: 0, tests: 0, cards: 0, changes: 0 }]);
    expect(await counted(ws)).toEqual(WHOLE);
  });

  test('after a commit that nobody heard of files no second skill, and tells of the first', async () => {
    const ws = await lane.workspace();
    await lane.file(ws, TASK);
    const fail = once(() => Promise.reject(new Error('the answer was lost')));
    const { record } = await lane.run({
      around: (real) => ({
        ...real,
        fileSkill: async (input) => {
          const filed = await real.fileSkill(input);
          await fail();
          return filed;
        },
      }),
    });
    expect(record.last).toMatchObject({ learned: 'created', skill_version: 1 });
    expect(await counted(ws)).toEqual(WHOLE);
  });

  test('after a sentence was written writes it once', async () => {
    const ws = await lane.workspace();
    const { end } = await lane.file(ws, {
      ...TASK,
      calls: BOOKING.slice(0, 2),
      outcome: 'failed',
    });
    const fail = once(() => Promise.reject(new Error('the answer was lost')));
    const { record } = await lane.run({
      around: (real) => ({
        ...real,
        fileReflection: async (input) => {
          const reflected = await real.fileReflection(input);
          await fail();
          return reflected;
        },
      }),
    });
    expect(record.last).toMatchObject({ reflected: 'reflected' });
    const { summary, version } = await lane.card(ws, end.card_id);
    expect(version).toBe(2);
    expect(summary.split('Next time')).toHaveLength(2);
  });

  test('whose sources change while it words them words them anew', async () => {
    const ws = await lane.workspace();
    const { calls } = await lane.file(ws, TASK);
    const edit = once(async () => {
      await lane.rows(ws, 'UPDATE cards SET version = version + 1 WHERE id = $1', [
        calls[0]?.card_id,
      ]);
    });
    const { record } = await lane.run({
      around: (real) => ({
        ...real,
        fileSkill: async (input) => {
          await edit();
          return await real.fileSkill(input);
        },
      }),
    });
    expect(record.last).toMatchObject({ learned: 'created', status: 'completed' });
    expect(await counted(ws)).toEqual(WHOLE);
  });

  test('whose source is stopped while it words it files nothing, and says so', async () => {
    const ws = await lane.workspace();
    const { calls } = await lane.file(ws, TASK);
    const stop = once(async () => {
      await lane.rows(
        ws,
        "UPDATE cards SET status = 'quarantined', version = version + 1 WHERE id = $1",
        [calls[2]?.card_id],
      );
    });
    const { record } = await lane.run({
      around: (real) => ({
        ...real,
        fileSkill: async (input) => {
          await stop();
          return await real.fileSkill(input);
        },
      }),
    });
    expect(record.last).toMatchObject({
      learned: 'moved',
      status: 'partial',
      reason: 'sources_moved',
    });
    expect(await lane.skills(ws)).toEqual([]);
  });
});
