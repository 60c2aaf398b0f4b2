import type { TestApi } from '../api';
import { good } from '../hostile-events';
import type { Pool } from './values';

/** In everything that another workspace holds; no request ever has the word. */
export const FOREIGN = 'zebrawood';
/** In everything that one agent keeps to itself. */
export const PRIVATE = 'quillfish';

/** Somebody who calls, with the words that must not be in an answer. */
export interface Caller {
  name: string;
  key: string | null;
  /** With every call, whatever else is in it. */
  headers: Record<string, string>;
  unseen: readonly string[];
}

export interface World {
  /** From whom nothing is open to who may do everything. */
  callers: Caller[];
  pool: Pool;
}

interface As {
  key?: string;
  headers?: Record<string, string>;
}

/** Two workspaces with something of every kind in each, and a key for each kind of caller. */
export async function makeWorld(api: TestApi): Promise<World> {
  const done = async (method: 'POST' | 'PUT', path: string, body: unknown, as: As = {}) => {
    const answer = await api.call(method, path, { ...as, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const { owner_key: foreignKey } = await done('POST', '/v1/workspaces', {
    ...{ id: 'elsewhere', name: 'Elsewhere' },
  });
  const runtimeBody = { principal: { kind: 'runtime', id: 'planter' } };
  const foreignRuntime = await done('POST', '/v1/keys', runtimeBody, { key: foreignKey });
  const foreign = await plant(done, FOREIGN, foreignRuntime.key, 'stranger');
  await done('PUT', '/v1/teams/red', { name: 'Red' });
  await done('PUT', '/v1/agents/mine', { team: 'red' });
  await done('PUT', '/v1/agents/hermit', {});
  await done('PUT', '/v1/agents/narrow', { restricted: true });
  await done('PUT', '/v1/subjects/ann', { name: 'Ann' });
  await done('PUT', '/v1/agent-groups/crew', { members: ['mine'] });
  const agentKey = await api.keyFor({ kind: 'agent', id: 'mine' });
  const planter = await api.keyFor({ kind: 'runtime', id: 'planter' });
  const hidden = await plant(done, PRIVATE, planter, 'hermit');
  const open = await plant(done, 'plain', planter, 'mine');
  const narrow = await api.keyFor({ kind: 'agent', id: 'narrow' });
  const held = await done('POST', '/v1/cards', { summary: 'A plain shelf.' }, { key: narrow });
  const widening = { scope: { type: 'team', id: 'red' } };
  const asked = await done('POST', `/v1/cards/${open.cards[0]}/promotion`, widening);
  const spare = await done('POST', '/v1/keys', { principal: { kind: 'runtime', id: 'spare' } });
  // Nothing is sent from here.
  const near = { webhooks: { allow_private: true } };
  await done('PUT', '/v1/policy', near, { headers: { 'if-match': '"0"' } });
  const webhook = { url: 'http://127.0.0.1:9/x', events: ['run.failed'] };
  await done('PUT', '/v1/webhooks/hook', webhook);
  const all = [open, hidden, foreign];
  const flat = (field: 'cards' | 'events' | 'operations') => all.flatMap((one) => one[field]);
  const pool: Pool = {
    card: [...flat('cards'), 'card_none'],
    card_id: flat('cards'),
    memorie: flat('cards'),
    id: [...flat('cards'), ...flat('operations'), 'none'],
    event_id: flat('events'),
    event: flat('events'),
    operation: flat('operations'),
    run: flat('operations'),
    key: [spare.id, 'note-plain', 'note-quillf', 'plan'],
    agent: ['mine', 'narrow', 'stranger'],
    parent_agent: ['narrow'],
    subject: ['ann', 'cat'],
    person: ['the-member', 'nobody'],
    team: ['red'],
    group: ['crew'],
    session: ['talk-plain', 'talk-quillf', 'none'],
    conversation: ['talk-plain', 'talk-quillf', 'talk-zebraw'],
    name: ['skill-plain', 'skill-quillf', 'skill-zebraw', 'x'],
    skill: ['skill-plain', 'skill-quillf', 'skill-zebraw'],
    project: ['shed'],
    webhook: ['hook'],
    n: ['0', '1', '2'],
    version: ['1', '2'],
    'if-match': ['"0"', '"1"', '"2"', '*'],
    'execution-mode': ['headless', 'interactive'],
    'idempotency-key': ['once', 'twice', 'thrice'],
    query: ['kiln', 'who keeps the kiln', 'mailer'],
    'pending-write': [held.pending_write_id],
    proposal: [asked.proposal_id],
    'agent-group': ['crew'],
    insight: all.map((one) => one.insight),
    action_id: all.map((one) => one.action),
    scope_id: ['mine', 'red', 'default'],
    about: ['ann'],
    writer: ['agent/mine'],
    hash: ['0'.repeat(64)],
    url: ['http://127.0.0.1:9/y'],
    ...Object.fromEntries(
      ['window', 'expires_in', 'ttl', 'grace', 'tie', 'restore_window'].map((one) => [
        one,
        ['P7D'],
      ]),
    ),
  };
  const member = await api.keyOf('member', 'ann');
  const runtime = await api.keyFor({ kind: 'runtime', id: 'harness' });
  const both = [FOREIGN, PRIVATE];
  const callers = [
    { name: 'nobody', key: null, headers: {}, unseen: both },
    { name: "another workspace's owner", key: foreignKey, headers: {}, unseen: [PRIVATE] },
    { name: 'a member', key: member, headers: {}, unseen: both },
    { name: 'a restricted agent', key: narrow, headers: {}, unseen: both },
    { name: 'an agent', key: agentKey, headers: {}, unseen: both },
    { name: 'a runtime', key: runtime, headers: { 'cairn-agent': 'mine' }, unseen: both },
    { name: 'the owner', key: api.ownerKey, headers: {}, unseen: [FOREIGN] },
  ];
  return { callers, pool };
}

interface Planted {
  insight: string;
  action: string;
  cards: string[];
  events: string[];
  operations: string[];
}

type Done = (
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
  as?: As,
  // biome-ignore lint/suspicious/noExplicitAny: each route answers otherwise
) => Promise<any>;

/** A card, a note, a skill, a memory, an event and a conversation that say the word, of this agent. */
async function plant(done: Done, word: string, key: string, agent: string): Promise<Planted> {
  const as = { key, headers: { 'cairn-agent': agent } };
  const short = word.slice(0, 6);
  const event = { ...good(`event-${short}`), agent, text: `The ${word} kiln was lit.` };
  const { items } = await done('POST', '/v1/events', { events: [event] }, { key });
  const card = await done('POST', '/v1/cards', { summary: `The ${word} kiln is old.` }, as);
  const about = { summary: `The ${word} kiln is red.`, hints: { service: 'mailer' } };
  const other = await done('POST', '/v1/cards', about, as);
  await done('PUT', `/v1/notes/note-${short}`, { value: `A ${word} shelf.` }, as);
  const skill = {
    name: `skill-${short}`,
    description: `Fires the ${word} kiln.`,
    body: `Fire the ${word} kiln slowly.`,
  };
  await done('POST', '/v1/skills', skill, as);
  await done('POST', '/v1/memories', { text: `Ada likes the ${word} kiln.` }, as);
  const talk = `/v1/conversations/talk-${short}`;
  await done('PUT', talk, {}, as);
  const said = { role: 'user', content: `Is the ${word} kiln on?`, at: '2026-06-01T09:00:00Z' };
  await done('POST', `${talk}/messages`, { messages: [said] }, as);
  await done('PUT', `/v1/sessions/talk-${short}/blackboard/plan`, { value: { say: word } }, as);
  const insight = await done(
    'POST',
    '/v1/insights',
    {
      ...{ origin: 'automated_run', domain: 'kilns', severity: 'low' },
      title: `The ${word} kiln is slow`,
      finding: `The ${word} kiln takes two hours.`,
      actions: [{ text: `Line the ${word} kiln.` }],
    },
    as,
  );
  return {
    insight: insight.id,
    action: insight.actions[0].id,
    cards: [card.id, other.id],
    events: [items[0].event_id],
    operations: [items[0].operation_id],
  };
}
