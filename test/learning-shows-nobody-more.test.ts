import { type Call, LearningLane, type PlannedTask } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

const PARENT: readonly Call[] = [
  ['plan.read_brief'],
  ['plan.write_outline', { output: 'WORDS of the parent' }],
  ['plan.assign_writer'],
];
const CHILD = { agent: 'child', parent_agent: 'scout' } as const;
const BELOW: readonly Call[] = [
  ['draft.fetch_notes', CHILD],
  ['draft.write_chapter', { ...CHILD, input: { chapter: 'CHILDS chapter' } }],
];

async function seen(ws: string) {
  return await lane.rows<{ agent: string; skill: string }>(
    ws,
    `SELECT DISTINCT a.id AS agent, s.name AS skill
       FROM agents a, skills s, visible_cards($1, a.id, NULL, false, NULL, now()) v
      WHERE v.card_id = s.card_id ORDER BY 1, 2`,
    [ws],
  );
}

async function taught(calls: readonly Call[], more: Partial<PlannedTask> = {}) {
  const ws = await lane.workspace();
  const { result } = await lane.teach(ws, { task: 'a book', session: 'desk', calls, ...more });
  return { ws, result };
}

describe('what a task teaches is seen by nobody who did not see what it was learned from', () => {
  test('work of a sub-agent is not put together with that of its parent, who does not see it', async () => {
    const { ws, result } = await taught([...PARENT, ...BELOW]);
    expect(result.learned).toBe('created');
    const [skill, ...others] = await lane.skills(ws);
    expect(others).toEqual([]);
    expect(JSON.stringify(skill?.document)).not.toMatch(/draft|chapter/i);
    expect((await lane.card(ws, skill?.card_id ?? null)).scope).toBe('agent/scout');
    // Whoever stands below sees what stands above, as it does the cards.
    expect((await seen(ws)).map(({ agent }) => agent)).toEqual(['child', 'scout']);
  });

  test('where the sub-agent did most of it, it is the skill of the sub-agent, without the words of the parent', async () => {
    const more: Call[] = [
      ['draft.check_spelling', CHILD],
      ['draft.submit_chapter', CHILD],
    ];
    const { ws, result } = await taught([...PARENT.slice(0, 2), ...BELOW, ...more]);
    expect(result.learned).toBe('created');
    const [skill] = await lane.skills(ws);
    expect((await lane.card(ws, skill?.card_id ?? null)).scope).toBe('agent/child');
    expect(JSON.stringify(skill)).not.toMatch(/plan|outline|a book/);
    expect((await seen(ws)).map(({ agent }) => agent)).toEqual(['child']);
  });

  test('work about two subjects, or of two projects, is not put together', async () => {
    const subject = { subject: 'ada' };
    const { ws } = await taught([
      ['crm.read_record', subject],
      ['crm.update_record', subject],
      ['crm.close_record', subject],
      ['billing.read_invoice', { subject: 'bob' }],
    ]);
    const [skill] = await lane.skills(ws);
    expect(JSON.stringify(skill?.document)).not.toContain('billing');
    expect(
      await lane.rows(ws, 'SELECT c.subject FROM cards c WHERE c.id = $1', [skill?.card_id]),
    ).toEqual([{ subject: 'ada' }]);
  });

  test('it is shared with those alone with whom all of it is shared', async () => {
    const ws = await lane.workspace();
    const { calls, end } = await lane.file(ws, { task: 'a book', calls: PARENT });
    await lane.file(ws, { task: 'x', agent: 'friend', calls: [], end: { final: false } });
    const ids = [...calls, end].map(({ card_id }) => card_id);
    await lane.rows(
      ws,
      `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, created_at)
       SELECT $1, unnest($2::text[]), 'friend', 'explicit', now()`,
      [ws, ids],
    );
    await lane.run();
    expect((await seen(ws)).map(({ agent }) => agent)).toEqual(['friend', 'scout']);

    // Of a task that the friend sees nothing of, that skill learns nothing: it would tell them.
    const again: Call[] = [
      ...PARENT,
      ['plan.rate_writer', { input: { note: 'SECRET of the desk' } }],
    ];
    const at = '2026-03-03T08:00:00Z';
    await lane.rows(ws, 'UPDATE policies SET document = $2 WHERE workspace_id = $1', [
      ws,
      '{"learning": {"novelty": 1}}',
    ]);
    const { result } = await lane.teach(ws, { task: 'another book', calls: again, at });
    expect(result.learned).toBe('created');
    const skills = await seen(ws);
    expect(skills.filter(({ agent }) => agent === 'friend')).toHaveLength(1);
    expect(skills.filter(({ agent }) => agent === 'scout')).toHaveLength(2);
  });

  test('a share that is taken back while it is worded is not in it', async () => {
    const ws = await lane.workspace();
    const { calls, end } = await lane.file(ws, { task: 'a book', calls: PARENT });
    await lane.file(ws, { task: 'x', agent: 'friend', calls: [], end: { final: false } });
    const ids = [...calls, end].map(({ card_id }) => card_id);
    await lane.rows(
      ws,
      `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, created_at)
       SELECT $1, unnest($2::text[]), 'friend', 'explicit', now()`,
      [ws, ids],
    );
    await lane.run({
      around: (real) => ({
        ...real,
        fileSkill: async (input) => {
          await lane.rows(ws, "DELETE FROM card_grants WHERE agent_id = 'friend'");
          return await real.fileSkill(input);
        },
      }),
    });
    expect((await seen(ws)).map(({ agent }) => agent)).toEqual(['scout']);
  });

  test('the sentence on a failed task’s card says nothing of work that its readers may not read', async () => {
    const below: Call = [
      'draft.write_chapter',
      { ...CHILD, outcome: 'failed', error: 'ValueError: CHILDS chapter not found' },
    ];
    const ws = await lane.workspace();
    const { result, end } = await lane.teach(ws, {
      ...{ task: 'a book', session: 'desk', outcome: 'failed' },
      calls: [...PARENT, below],
    });
    expect(result.reflected).toBe('nothing_to_add');
    expect((await lane.card(ws, end.card_id)).summary).not.toMatch(/chapter/i);
  });
});
