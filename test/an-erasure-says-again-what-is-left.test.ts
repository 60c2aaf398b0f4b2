import { insertCard } from '../src/store/card-writes';
import { addSkill } from '../src/store/card-writes-skill';
import { erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { plainCard } from './support/plain-card';
import { rowsOf } from './support/upkeep';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const failure = (n: number, load: string) => ({
  ...({ event_id: `evt-${n}`, kind: 'workflow_step', outcome: 'failed', team: 'yard' } as const),
  ...{ workflow_step: { workflow: 'unload', step: 'lift' }, service: 'crane', operation: 'lift' },
  ...{ input: { load }, error: `the ${load} is too heavy` },
});

it('counts a record again without the work that is gone', async () => {
  const { api, filing, clock } = lane;
  for (const [n, subject] of ['guest-1', 'guest-2', 'guest-2'].entries()) {
    await filing.file({
      ...{ event_id: `evt-${n}`, subject, kind: 'delegation', task_type: 'lifting' },
      delegate: { agent: 'mate', cost: 1, duration_ms: 1 },
    });
    clock.advance(1_000);
  }
  const before = await api.call('GET', '/v1/competence?agent=mate');
  expect(before.body.items[0]).toMatchObject({ attempts: 3 });
  await erased(lane, { subject: 'guest-2' });
  const { body } = await api.call('GET', '/v1/competence?agent=mate');
  expect(body.items).toHaveLength(1);
  expect(body.items[0]).toMatchObject({ attempts: 1, completed: 1 });
  const cards = await rowsOf<{ id: string; status: string; summary: string }>(
    lane,
    `SELECT id, status, summary FROM cards WHERE kind = 'competence' AND status = 'active'`,
  );
  expect(cards).toHaveLength(1);
  expect(cards[0]?.id).toBe(body.items[0].card_id);
  expect(cards[0]?.summary).toContain('1 of 1');
});

it('composes a note again from the cards that are left', async () => {
  const { api, filing, clock } = lane;
  const loads = ['iron', 'granite', 'basalt', 'quokka'];
  const cards: string[] = [];
  for (const [n, load] of loads.entries()) cards.push(await filing.card(failure(n, load)));
  const note = plainCard(
    'Lessons on lifting: neither iron nor the quokka can be lifted.',
    clock.now(),
    {
      ...{ kind: 'insight', topic: 'crane.lift' },
      writer: { kind: 'system', id: 'consolidation' },
    },
  );
  await api.database.inWorkspace('default', (tx) =>
    insertCard(
      tx,
      note,
      null,
      cards.map((to) => ({
        type: 'derived_from',
        from: note.id,
        to,
        confidence: 1,
        reason: 'told in this note',
      })),
    ),
  );
  const { counts } = await erased(lane, { card_ids: [cards[3] ?? ''] });
  expect(counts).toMatchObject({ rederived: 1, purged: { events: 1, cards: 1 } });
  const { body } = await api.call('GET', `/v1/cards/${note.id}`);
  expect(body).toMatchObject({ version: 2, status: 'active' });
  expect(body.topic).toBe('crane.lift');
  expect(body.summary).toMatch(/^Lessons on crane\.lift, .*from 3 episodes:\n- /);
  const { text } = await api.call('GET', `/v1/cards/${note.id}/history`);
  expect(text).toContain('rederived');
  expect(text).not.toContain('quokka');
});

it('takes back what waits for a decision, and its words', async () => {
  const { api, filing, clock } = lane;
  await api.call('PUT', '/v1/teams/yard', { body: { name: 'Yard' } });
  await api.call('PUT', '/v1/agents/scout', { body: { team: 'yard' } });
  for (const n of [1, 2, 3]) {
    await filing.file({ ...failure(n, 'quokka'), subject: 'guest-1' });
    clock.advance(1_000);
  }
  const open = await api.call('GET', '/v1/proposals');
  expect(open.body.items).toMatchObject([{ type: 'config_fix', status: 'open' }]);
  await erased(lane, { subject: 'guest-1' });
  const { body, text } = await api.call('GET', `/v1/proposals/${open.body.items[0].id}`);
  expect(body).toMatchObject({ status: 'lapsed', evidence: [] });
  expect(text).not.toContain('quokka');
});

it('keeps a fix that waits where enough other failures bear it out, in words from those', async () => {
  const { api, filing, clock } = lane;
  await api.call('PUT', '/v1/teams/yard', { body: { name: 'Yard' } });
  await api.call('PUT', '/v1/agents/scout', { body: { team: 'yard' } });
  const cards: string[] = [];
  for (const n of [0, 1, 2, 3, 4, 5, 6, 7]) {
    cards.push(await filing.card(failure(n, n < 2 ? 'quokka' : 'iron')));
    clock.advance(1_000);
  }
  const { body: open } = await api.call('GET', '/v1/proposals');
  const [{ id, version }] = open.items;
  const { counts } = await erased(lane, { event_ids: ['evt-0', 'evt-1'] });
  expect(counts.purged.proposals ?? 0).toBe(0);
  const { body, text } = await api.call('GET', `/v1/proposals/${id}`);
  expect(body).toMatchObject({ status: 'open', version, evidence: cards.slice(2) });
  expect(body.title).toBe('lift of unload failed 6 times in team yard');
  expect(text).not.toContain('quokka');
  expect(text).not.toContain('purged');
  const decided = await rowsOf(lane, "SELECT 1 FROM proposals WHERE status = 'open'");
  expect(decided).toHaveLength(1);
  await erased(lane, { event_ids: ['evt-2', 'evt-3', 'evt-4', 'evt-5'] });
  const after = await api.call('GET', `/v1/proposals/${id}`);
  expect(after.body).toMatchObject({ status: 'lapsed' });
});

it('has a skill teach the calls that are left', async () => {
  const { api, filing, clock } = lane;
  const cards: string[] = [];
  for (const [n, subject] of ['guest-1', 'guest-2'].entries()) {
    cards.push(
      await filing.card({
        event_id: `evt-${n}`,
        subject,
        service: 'crane',
        operation: `lift_load_${n}`,
      }),
    );
  }
  const card = plainCard('Skill lift: how a quokka is lifted.', clock.now(), {
    ...{ kind: 'skill_lesson', sign: 'worked', writer: { kind: 'system', id: 'learning' } },
  });
  const step = (n: number) => ({
    text: `Lift the quokka ${n}.`,
    service: 'crane',
    operation: `lift_load_${n}`,
  });
  const document = {
    ...{
      purpose: 'Lift a quokka.',
      preconditions: ['The quokka is calm.'],
      steps: [step(0), step(1)],
    },
    ...{ failure_handling: [], causes: [] },
  };
  await api.database.inWorkspace('default', async (tx) => {
    const edge = {
      type: 'derived_from',
      from: card.id,
      confidence: 1,
      reason: 'the skill was learned from this',
    } as const;
    await insertCard(
      tx,
      card,
      null,
      cards.map((to) => ({ ...edge, to })),
    );
    await addSkill(tx, {
      ...{ cardId: card.id, name: 'lift', now: clock.now() },
      version: {
        ...{ description: 'Lift a quokka.', document, body: 'Lift a quokka.', flagged: false },
        ...{ events: ['evt-0', 'evt-1'], cards, run: null, model: null, promptVersion: null },
        writer: { kind: 'system', id: 'learning' },
      },
      cases: [
        {
          case: {
            kind: 'origin',
            trace: [{ service: 'crane', operation: 'lift_load_1', outcome: 'worked' }],
          },
          ...{ event: 'evt-1', card: cards[1] ?? null },
        },
      ],
    });
  });
  clock.advance(1_000);
  await erased(lane, { subject: 'guest-2' });
  const { body, text } = await api.call('GET', '/v1/skills/lift');
  expect(body).toMatchObject({ name: 'lift', version: 2, status: 'current', tests: [] });
  expect(text).toContain('lift_load_0');
  expect(text).not.toMatch(/quokka|lift_load_1/);
  const rows = await rowsOf<{ row: string }>(lane, 'SELECT v::text AS row FROM skill_versions v');
  expect(rows.map(({ row }) => row).join()).not.toContain('quokka');
});

it('keeps what a legal hold keeps, and says so', async () => {
  const { api, filing, clock } = lane;
  const held = await filing.card({ event_id: 'evt-1', subject: 'guest-1', project: 'case-17' });
  const other = await filing.card({ event_id: 'evt-2', subject: 'guest-1' });
  await api.call('PUT', '/v1/legal-holds/case', {
    body: { selector: { project: 'case-17' }, reason: 'litigation' },
  });
  clock.advance(1_000);
  const { status, counts } = await erased(lane, { subject: 'guest-1' });
  expect(status).toBe('held');
  expect(counts.held).toBeGreaterThan(0);
  expect((await api.call('GET', `/v1/cards/${held}`)).status).toBe(200);
  expect((await api.call('GET', `/v1/cards/${other}`)).status).toBe(404);
  expect((await api.call('GET', '/v1/events/evt-1')).status).toBe(200);
});
