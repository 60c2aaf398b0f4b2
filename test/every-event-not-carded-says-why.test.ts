import { MockActivityEnvironment } from '@temporalio/testing';
import { createCaptureActivities } from '../src/activities/capture';
import type { SettledEvent } from '../src/contracts/event';
import {
  type Disposition,
  MEMORY_MODES,
  type MemoryMode,
  WRITE_ROUTES,
  type WriteRoute,
} from '../src/contracts/names';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { HOUR, type RecallLane, startRecallLane } from './support/filing';
import { PLANTED } from './support/quarantine';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());
beforeEach(() => lane.clock.advance(HOUR));

interface Case {
  workspace: MemoryMode;
  agent: MemoryMode;
  subject: 'on' | 'off';
  route: WriteRoute;
}

const CASES: readonly Case[] = MEMORY_MODES.flatMap((workspace) =>
  MEMORY_MODES.flatMap((agent) =>
    (['on', 'off'] as const).flatMap((subject) =>
      WRITE_ROUTES.map((route) => ({ workspace, agent, subject, route })),
    ),
  ),
);

/** What is said of a case: the first line that holds, the strictest first. */
const SAID: readonly [when: Partial<Case>, Disposition, reason: string | null][] = [
  [{ workspace: 'off' }, 'mode_off', 'workspace_off'],
  [{ agent: 'off' }, 'mode_off', 'agent_off'],
  [{ subject: 'off' }, 'mode_off', 'subject_off'],
  [{ route: 'sensitive' }, 'sensitive', 'write_rule'],
  [{ workspace: 'manual' }, 'mode_manual', 'workspace_manual'],
  [{ agent: 'manual' }, 'mode_manual', 'agent_manual'],
  [{ route: 'transient' }, 'transient', 'write_rule'],
  [{}, 'carded', null],
];

function saidOf(one: Case): { disposition: Disposition; reason: string | null } {
  const found = SAID.find(([when]) =>
    Object.entries(when).every(([field, value]) => one[field as keyof Case] === value),
  );
  if (found === undefined) throw new Error('the last line holds for every case');
  return { disposition: found[1], reason: found[2] };
}

const call = async (method: 'GET' | 'PUT', path: string, body?: object, headers = {}) => {
  const answer = await lane.api.call(method, path, {
    headers,
    ...(body === undefined ? {} : { body }),
  });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
};

/** Agents `<mode>`, subjects `<on|off>` and services `<route>` as their names say, or all as they were. */
async function settle(workspace: MemoryMode, isSaid: boolean): Promise<void> {
  await call('PUT', '/v1/workspace', { memory_mode: workspace });
  for (const mode of MEMORY_MODES) {
    await call('PUT', `/v1/agents/${mode}`, { memory_mode: isSaid ? mode : 'automatic' });
  }
  await call('PUT', '/v1/subjects/on', { memory: 'on' });
  await call('PUT', '/v1/subjects/off', { memory: isSaid ? 'off' : 'on' });
  const { version } = await call('GET', '/v1/policy');
  const write_rules = isSaid
    ? WRITE_ROUTES.map((route) => ({ match: { service: route }, route }))
    : [];
  await call('PUT', '/v1/policy', { capture: { write_rules } }, { 'if-match': `"${version}"` });
}

let serial = 0;
function eventOf(one: Case): SettledEvent {
  serial += 1;
  return {
    event_id: `event-${serial}`,
    kind: 'service_call',
    agent: one.agent,
    subject: one.subject,
    service: one.route,
    operation: 'tell',
    outcome: 'worked',
    occurred_at: lane.clock.text(),
    input: { page: serial },
    output: `Page ${serial} was read.`,
  };
}

async function report(events: readonly SettledEvent[]) {
  const { body } = await lane.api.call('POST', '/v1/events', {
    key: lane.runtimeKey,
    body: { events },
  });
  return body.items as { event_id: string; operation_id: string; disposition: Disposition }[];
}

async function recorded(key: { event_id: string; operation_id: string }) {
  const { disposition, reason, event } = await call('GET', `/v1/events/${key.event_id}`);
  const { state, result, error } = await call('GET', `/v1/operations/${key.operation_id}`);
  return { disposition, reason, isKept: event !== null, state, result, error };
}

/** What a person is told, by both doors, of an event that is settled. */
function toldOf({ disposition, reason }: ReturnType<typeof saidOf>) {
  return {
    disposition,
    reason,
    // What is not to be remembered leaves its id, its agent and its disposition.
    isKept: disposition === 'carded',
    state: 'completed',
    result: expect.objectContaining({ disposition, reason }),
    error: null,
  };
}

describe.each(MEMORY_MODES)('in a workspace whose memory is %s', (workspace) => {
  const cases = CASES.filter((one) => one.workspace === workspace);

  it('every combination of modes and routes says why, where the event comes in', async () => {
    await settle(workspace, true);
    const items = await report(cases.map(eventOf));
    for (const [at, one] of cases.entries()) {
      const item = items[at];
      if (item === undefined) throw new Error('an item is missing');
      const said = saidOf(one);
      const isPending = said.disposition === 'carded';
      expect([one, item.disposition]).toEqual([one, isPending ? 'pending' : said.disposition]);
      // Before any workflow has seen it.
      if (!isPending) expect([one, await recorded(item)]).toEqual([one, toldOf(said)]);
      const { admission } = await lane.filing.atOnce(item);
      expect([one, admission.decision]).toEqual([one, isPending ? 'admit' : said.disposition]);
      expect([one, await recorded(item)]).toEqual([one, toldOf(said)]);
    }
  });

  it('and where it came in before the modes and rules did', async () => {
    await settle('automatic', false);
    const items = await report(cases.map(eventOf));
    expect(new Set(items.map(({ disposition }) => disposition))).toEqual(new Set(['pending']));
    await settle(workspace, true);
    for (const [at, one] of cases.entries()) {
      const item = items[at];
      if (item === undefined) throw new Error('an item is missing');
      await lane.filing.atOnce(item);
      expect([one, await recorded(item)]).toEqual([one, toldOf(saidOf(one))]);
    }
  });
});

it('what was refused a card at first is given none because modes were loosened', async () => {
  await settle('manual', true);
  const cases = CASES.filter((one) => one.workspace === 'manual');
  const items = await report(cases.map(eventOf));
  await settle('automatic', false);
  for (const [at, one] of cases.entries()) {
    const item = items[at];
    if (item === undefined) throw new Error('an item is missing');
    await lane.filing.atOnce(item);
    expect([one, await recorded(item)]).toEqual([one, toldOf(saidOf(one))]);
  }
});

describe('whatever else keeps an event from its card', () => {
  const plain = (): SettledEvent =>
    eventOf({ workspace: 'automatic', agent: 'automatic', subject: 'on', route: 'durable' });
  const only = async (event: SettledEvent) => {
    const [item] = await report([event]);
    if (item === undefined) throw new Error('an item is missing');
    return item;
  };
  const steps = () =>
    createCaptureActivities({
      database: lane.api.database,
      clock: lane.clock.now,
      embedder: createHashedEmbedder(),
      distiller: 'fallback',
    });
  beforeAll(() => settle('automatic', false));

  it('the same content under another id', async () => {
    const event = plain();
    await lane.filing.atOnce(await only(event));
    const twin = await only({ ...event, event_id: `${event.event_id}-again` });
    await lane.filing.atOnce(twin);
    expect(await recorded(twin)).toMatchObject({
      disposition: 'duplicate_content',
      reason: 'same_content',
      state: 'completed',
      result: { disposition: 'duplicate_content', reason: 'same_content' },
    });
  });

  it('words that read like an instruction, where the policy holds them back', async () => {
    const { version } = await call('GET', '/v1/policy');
    const trust_rules = [{ match: { service: 'durable' }, trust: 'web' }];
    const capture = { instruction_like: 'quarantine', trust_rules };
    await call('PUT', '/v1/policy', { capture }, { 'if-match': `"${version}"` });
    const item = await only({ ...plain(), output: PLANTED });
    await lane.filing.atOnce(item);
    expect(await recorded(item)).toMatchObject({
      disposition: 'quarantined',
      reason: 'instruction_like',
      state: 'completed',
      result: { reason: 'instruction_like' },
    });
  });

  it('a stop', async () => {
    const item = await only(plain());
    await call('PUT', '/v1/sources/service:durable', { stopped: true });
    await lane.filing.atOnce(item);
    await call('PUT', '/v1/sources/service:durable', { stopped: false });
    expect(await recorded(item)).toMatchObject({
      disposition: 'quarantined',
      reason: 'stopped',
      isKept: true,
      state: 'completed',
      result: { reason: 'stopped' },
    });
  });

  it('a payload that is gone', async () => {
    const item = await only(plain());
    await lane.api.database.inWorkspace('default', (tx) =>
      tx.query('UPDATE events SET payload = NULL WHERE event_id = $1', [item.event_id]),
    );
    await lane.filing.atOnce(item);
    expect(await recorded(item)).toMatchObject({
      disposition: 'erased',
      reason: 'payload_missing',
      state: 'completed',
      result: { reason: 'payload_missing' },
    });
  });

  it('a step that failed for good', async () => {
    const { event_id, operation_id } = await only(plain());
    const input = { workspace: 'default', event_id, operation_id, reason: 'cancelled' };
    await new MockActivityEnvironment().run(() => steps().giveUp(input));
    expect(await recorded({ event_id, operation_id })).toMatchObject({
      disposition: 'failed',
      reason: 'cancelled',
      state: 'failed',
      error: 'cancelled',
    });
  });
});
