import fc from 'fast-check';
import { confidenceAfterProvenUse } from '../src/domain/confidence';
import { voiceOfCaller, voiceOfEvent, weightOf } from '../src/domain/proven-use';
import { DAY, HOUR, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
const keys: Record<string, string> = {};
/** Who writes the card of each test, so that the tests do not meet. */
let author = 'author-0';

beforeAll(async () => {
  lane = await startRecallLane();
  await lane.api.call('PUT', '/v1/teams/crew', { body: { name: 'Crew' } });
  for (const mate of ['mate', 'pilot']) keys[mate] = await hired(mate);
});
beforeEach(async () => {
  author = `author-${Number(author.split('-')[1]) + 1}`;
  keys[author] = await hired(author);
  lane.clock.advance(2 * DAY);
});
afterAll(() => lane.close());

async function hired(agent: string): Promise<string> {
  await lane.api.call('PUT', `/v1/agents/${agent}`, { body: { team: 'crew' } });
  return await lane.api.keyFor({ kind: 'agent', id: agent });
}

type As = { key?: string; headers?: Record<string, string> };
const itself = (agent: string): As => ({ key: keys[agent] as string });
const throughRuntime = (agent: string): As => ({
  key: lane.runtimeKey,
  headers: { 'cairn-agent': agent },
});

/** Of the card that was written last: a recall asks for it alone. */
let topic = 'gate-0';

/** A card of the author's own, at 0.5, that the whole crew may see. */
async function written(): Promise<string> {
  topic = `gate-${Number(topic.split('-')[1]) + 1}`;
  const card = { summary: 'The lock gate opens inwards.', confidence: 0.5, topic };
  const { id } = await writeCard(lane.api, card, itself(author));
  for (const mate of ['mate', 'pilot']) {
    await lane.api.call('PUT', `/v1/cards/${id}/grants/${mate}`, {});
  }
  return id;
}

async function recalled(as: As, session?: string): Promise<string> {
  const headers = { ...as.headers, ...(session === undefined ? {} : { 'cairn-session': session }) };
  const body = { query: 'lock gate', filters: { topic } };
  return (await lane.api.call('POST', '/v1/recall', { ...as, headers, body })).body.recall_id;
}

const feedback = (as: As, recall: string, card: string) =>
  lane.api.call('POST', `/v1/recalls/${recall}/feedback`, {
    ...as,
    body: { card_id: card, useful: true },
  });

/** Recalls it and says that it helped. */
async function mark(as: As, card: string): Promise<void> {
  const { status, text } = await feedback(as, await recalled(as), card);
  if (status !== 204) throw new Error(`${status} ${text}`);
}

const validate = (as: As, card: string, verdict = 'success') =>
  lane.api.call('POST', `/v1/cards/${card}/validation`, { ...as, body: { verdict } });

async function standing(id: string) {
  const { body } = await lane.api.call('GET', `/v1/cards/${id}`);
  return { uses: body.use_count, confidence: body.confidence, status: body.status };
}

describe('the rule', () => {
  const kind = fc.constantFrom('person' as const, 'runtime' as const, 'agent' as const);

  it('lets nobody but a person validate, and no agent raise what is its own', () => {
    fc.assert(
      fc.property(kind, fc.boolean(), (caller, isOwn) => {
        const { validates, raises } = weightOf(voiceOfCaller(caller), isOwn);
        expect(validates).toBe(caller === 'person');
        if (caller === 'person') expect(raises).toBe('each_use');
        else expect(raises).toBe(isOwn ? 'never' : 'once_a_day');
      }),
    );
  });

  it('takes the word of a runtime about a session, and no validation from it', () => {
    for (const trust of ['person', 'runtime'] as const) {
      expect(weightOf(voiceOfEvent(trust), true)).toEqual({ validates: false, raises: 'each_use' });
    }
    for (const trust of ['agent', 'web'] as const) {
      expect(weightOf(voiceOfEvent(trust), true).raises).toBe('never');
    }
  });
});

describe('of its own card an agent', () => {
  it('counts the use of each recall, and raises nothing, on whichever day and by whichever key', async () => {
    const id = await written();
    for (const as of [itself(author), throughRuntime(author), itself(author)]) {
      await mark(as, id);
      lane.clock.advance(DAY);
    }
    expect(await standing(id)).toEqual({ uses: 3, confidence: 0.5, status: 'pending' });
  });

  it('validates nothing: it counts what its recalls gave it, once for each', async () => {
    const id = await written();
    await validate(itself(author), id);
    expect(await standing(id)).toEqual({ uses: 0, confidence: 0.5, status: 'pending' });
    await recalled(itself(author));
    lane.clock.advance(MINUTE);
    for (const as of [itself(author), throughRuntime(author), itself(author)]) {
      expect((await validate(as, id)).body).toMatchObject({ use_count: 1, status: 'pending' });
    }
    const recall = await recalled(throughRuntime(author));
    await feedback(itself(author), recall, id);
    await validate(itself(author), id);
    expect(await standing(id)).toEqual({ uses: 2, confidence: 0.5, status: 'pending' });
  });

  it('raises nothing of its own work that stands in the scope of its team', async () => {
    const id = await written();
    await lane.api.database.inWorkspace('default', (tx) =>
      tx.query(`UPDATE cards SET scope_type = 'team', scope_id = 'crew' WHERE id = $1`, [id]),
    );
    await mark(itself(author), id);
    expect(await standing(id)).toMatchObject({ uses: 1, confidence: 0.5 });
    await mark(itself('mate'), id);
    expect(await standing(id)).toMatchObject({ uses: 2, confidence: 0.6 });
  });

  it('may say that it was wrong', async () => {
    const id = await written();
    expect((await validate(itself(author), id, 'wrong')).status).toBe(200);
    expect((await standing(id)).status).toBe('rejected');
  });

  it('cannot state more confidence than its report has; a person can', async () => {
    const summary = 'The lock gate opens outwards.';
    const stated = async (as: As, confidence: number) => {
      const scope = as.key === undefined ? { scope: { type: 'agent', id: author } } : {};
      return (await writeCard(lane.api, { summary, confidence, ...scope }, as)).confidence;
    };
    expect(await stated(itself(author), 1)).toBe(0.6);
    expect(await stated(itself(author), 0.3)).toBe(0.3);
    expect(await stated(throughRuntime(author), 1)).toBe(0.8);
    expect(await stated({}, 0.123456)).toBe(0.1235);
    expect(await stated({}, 1)).toBe(1);
  });

  it('decides no contradiction by it', async () => {
    const call = { service: 'locks', operation: 'open_gate', input: { gate: 3, side: 'east' } };
    const reported = async (agent: string, more: object) =>
      await lane.filing.card({ ...call, agent, ...more }, { kind: 'agent', id: agent });
    const success = await reported(author, { event_id: `${author}-1`, output: 'opened' });
    lane.clock.advance(MINUTE);
    const failure = await reported(author, {
      event_id: `${author}-2`,
      outcome: 'failed',
      error: 'Error: the gate jammed',
    });
    const sides = async () => {
      const body = { query: 'open gate 3 east', explain: true, limit: 50 };
      const answer = await lane.api.call('POST', '/v1/recall', { ...itself(author), body });
      const { cards, dropped } = answer.body as {
        cards: { id: string }[];
        dropped: { id: string; reason: string }[];
      };
      const loser = dropped.find(({ id }) => id === success || id === failure);
      return { shown: cards.map(({ id }) => id), loser };
    };
    const before = await sides();
    expect(before.loser?.reason).toBe('open_contradiction');
    const loser = before.loser?.id as string;
    for (let time = 0; time < 3; time += 1) {
      await lane.recall({ query: 'open gate' }, { 'cairn-agent': author });
      await validate(itself(author), loser);
      lane.clock.advance(MINUTE);
    }
    expect((await sides()).loser).toMatchObject({ id: loser, reason: 'open_contradiction' });
  });
});

describe('of the card of another an agent', () => {
  it('raises the confidence once a day of the calendar, and counts each use', async () => {
    const id = await written();
    lane.clock.set('2026-07-01T20:00:00Z');
    for (let time = 0; time < 3; time += 1) await mark(itself('mate'), id);
    expect(await standing(id)).toMatchObject({ uses: 3, confidence: 0.6 });
    lane.clock.set('2026-07-01T23:59:59Z');
    await mark(throughRuntime('mate'), id);
    expect((await standing(id)).confidence).toBe(0.6);
    lane.clock.set('2026-07-02T00:00:00Z');
    await mark(itself('mate'), id);
    expect(await standing(id)).toMatchObject({ uses: 5, confidence: 0.7 });
  });

  it('has a day of its own, whoever else marked it', async () => {
    const id = await written();
    await mark(itself('mate'), id);
    await mark(itself('pilot'), id);
    expect(await standing(id)).toMatchObject({ uses: 2, confidence: 0.7 });
  });

  it('raises it once however many marks come at the same moment', async () => {
    const id = await written();
    const recalls: string[] = [];
    for (let time = 0; time < 4; time += 1) recalls.push(await recalled(itself('mate')));
    const answers = await Promise.all(
      recalls.map((recall) => feedback(itself('mate'), recall, id)),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await standing(id)).toMatchObject({ uses: 4, confidence: 0.6 });
  });
});

describe('the end of a session', () => {
  const end = (session: string, by: 'agent' | 'runtime', agent: string, occurred_at?: string) =>
    lane.filing.file(
      {
        event_id: `${session}-${by}-${lane.clock.text()}`,
        agent,
        session,
        final: true,
        ...(occurred_at === undefined ? {} : { occurred_at }),
        input: { session, by, at: lane.clock.text() },
      },
      by === 'agent' ? { kind: 'agent', id: agent } : { kind: 'runtime', id: 'harness' },
    );

  it('that its agent reports counts a use of its own card, and raises nothing', async () => {
    const id = await written();
    await recalled(itself(author), `${author}-s`);
    lane.clock.advance(MINUTE);
    await end(`${author}-s`, 'agent', author);
    expect(await standing(id)).toMatchObject({ uses: 1, confidence: 0.5 });
  });

  it('that a runtime reports raises it, also where its agent had said so before', async () => {
    const id = await written();
    const recall = await recalled(itself(author), `${author}-s`);
    await feedback(itself(author), recall, id);
    lane.clock.advance(MINUTE);
    await end(`${author}-s`, 'runtime', author);
    lane.clock.advance(MINUTE);
    await end(`${author}-s`, 'runtime', author);
    expect(await standing(id)).toMatchObject({ uses: 1, confidence: 0.6 });
  });

  it('that another agent reports raises it once a day of the server, whatever time it names', async () => {
    const id = await written();
    for (const days of [0, 1, 2]) {
      await recalled(itself('mate'), `${author}-s`);
      const time = new Date(lane.clock.now().getTime() + days * DAY + MINUTE).toISOString();
      await end(`${author}-s`, 'agent', 'mate', time);
      lane.clock.advance(HOUR);
    }
    expect(await standing(id)).toMatchObject({ uses: 3, confidence: 0.6 });
  });
});

it('a reading of the past shows the confidence of then: what was counted only did not raise it', async () => {
  const id = await written();
  const then = async (known_at: string) => {
    const body = { query: 'lock gate', filters: { topic }, known_at };
    const [card] = (await lane.api.call('POST', '/v1/recall', { body })).body.cards;
    return { uses: card.use_count, confidence: card.confidence };
  };
  const times: [string, { uses: number; confidence: number }][] = [];
  for (const who of [author, 'mate', author, 'pilot', 'mate']) {
    lane.clock.advance(HOUR / 2);
    await mark(itself(who), id);
    const { uses, confidence } = await standing(id);
    lane.clock.advance(HOUR / 2);
    times.push([lane.clock.text(), { uses, confidence }]);
  }
  expect(times.map(([, { confidence }]) => confidence)).toEqual([0.5, 0.6, 0.6, 0.7, 0.7]);
  for (const [at, expected] of times) expect([at, await then(at)]).toEqual([at, expected]);
});

it('any order of words makes a card as sure as the rule says, without dust behind the comma', async () => {
  const word = fc.record({
    who: fc.constantFrom('author', 'mate', 'pilot', 'person'),
    how: fc.constantFrom(itself, throughRuntime),
    hours: fc.constantFrom(0, 1, 23),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 9 }), async (words) => {
      const id = await written();
      let expected = 0.5;
      const marked = new Set<string>();
      for (const { who, how, hours } of words) {
        lane.clock.advance(hours * HOUR);
        const day = `${who} ${lane.clock.text().slice(0, 10)}`;
        const voice = voiceOfCaller(who === 'person' ? 'person' : 'agent');
        const { raises } = weightOf(voice, who === 'author');
        const isRaised = raises === 'each_use' || (raises === 'once_a_day' && !marked.has(day));
        marked.add(day);
        if (isRaised) expected = confidenceAfterProvenUse(expected);
        await mark(who === 'person' ? {} : how(who === 'author' ? author : who), id);
        expect(await standing(id)).toMatchObject({ confidence: expected, status: 'pending' });
      }
      expect((await standing(id)).uses).toBe(words.length);
    }),
    { numRuns: 12 },
  );
});

describe('an agent that corrects its own card', () => {
  const corrected = async (as: As, id: string, patch: object) => {
    const { headers, key } = as;
    const { body } = await lane.api.call('GET', `/v1/cards/${id}`);
    const answer = await lane.api.call('PATCH', `/v1/cards/${id}`, {
      ...(key === undefined ? {} : { key }),
      headers: { ...headers, 'if-match': `"${body.version}"` },
      body: patch,
    });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it('may say that it is less sure, and is not believed that it is surer', async () => {
    const id = await written();
    for (const as of [itself(author), throughRuntime(author)]) {
      expect((await corrected(as, id, { confidence: 1, topic })).confidence).toBe(0.5);
    }
    expect((await corrected(itself(author), id, { confidence: 0.2 })).confidence).toBe(0.2);
    expect((await corrected({}, id, { confidence: 0.9 })).confidence).toBe(0.9);
  });

  it('does not put its new words under the validation of a person', async () => {
    const id = await written();
    const verdict = { body: { verdict: 'success' } };
    expect((await lane.api.call('POST', `/v1/cards/${id}/validation`, verdict)).status).toBe(200);
    const summary = 'The lock gate opens outwards, says its maker.';
    const after = await corrected(throughRuntime(author), id, { summary });
    expect(after).toMatchObject({ summary, status: 'active' });
  });
});
