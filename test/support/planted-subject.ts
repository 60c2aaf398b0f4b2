import { Client } from 'pg';
import { writtenForms } from './encodings';
import type { Program } from './program';

/** A guest whose name, words and things are in five languages, and stand nowhere else. */
export const SUBJECT = 'guest-quokka-7';
export const BYSTANDER = 'guest-heron-8';
export const SAID = [
  'Jürgen Müßigmann-Öçalan',
  '田中さくらこの証言',
  'محمود بن الزهراني الكريم',
  'Ξενοφών Παπαδόπουλος Πειραιεύς',
  '🦜👩‍👩‍👧 Zoë d’Ætherïng xylofoon',
] as const;
/** Single words that postings, statistics and names may hold by themselves. */
export const WORDS = [
  'quokka',
  'xylofoon',
  'παπαδόπουλος',
  'müßigmann',
  'jacarandatree',
  'wombatstew',
];
const SESSION = 'stay-quokka-7';
const AGENT = { 'cairn-agent': 'scout' };

type Body = Record<string, unknown>;

/** Plants one subject in every kind of row, and somebody else who did much the same. @returns cards of the others */
export async function plantSubject(
  program: Program,
): Promise<{ others: string[]; events: string[] }> {
  const done = async (
    method: string,
    path: string,
    body?: Body,
    headers: Record<string, string> = AGENT,
  ) => {
    const answer = await program.call(method, path, body, headers);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, never>;
  };
  const day = (n: number) => new Date(Date.now() - (20 - n) * 86_400_000).toISOString();
  const report = async (fields: Body, n: number) => {
    const event = {
      event_id: `visit-${n}`,
      kind: 'service_call',
      agent: 'scout',
      outcome: 'worked',
      occurred_at: day(n % 20),
      ...fields,
    };
    const answer = await done('POST', '/v1/events?wait_ms=30000', event, {});
    const [item] = answer.items as unknown as { card_id: string; status: string }[];
    if (item?.card_id === undefined) throw new Error(`no card: ${JSON.stringify(answer)}`);
    return item.card_id;
  };
  const owner = {};
  const mate = { 'cairn-agent': 'mate' };
  await done('PUT', '/v1/teams/dock', { name: 'The dock' }, owner);
  await done('PUT', '/v1/agents/scout', { team: 'dock' }, owner);
  await done('PUT', '/v1/agents/mate', {}, owner);
  await done('PUT', '/v1/agents/intern', { parent_agent: undefined, restricted: true }, owner);
  await done('PUT', '/v1/agent-groups/crew', { members: ['mate'] }, owner);
  await done(
    'PUT',
    `/v1/subjects/${SUBJECT}`,
    { name: SAID[0], kind: 'guest', household: 'wombatstew' },
    owner,
  );
  await done('PUT', `/v1/subjects/${BYSTANDER}`, { name: 'Heron Harper' }, owner);
  await done(
    'PUT',
    '/v1/people/quincy',
    { name: SAID[3], role: 'member', subject: SUBJECT },
    owner,
  );
  // Its delivery stays in flight: nobody listens there.
  await done(
    'PUT',
    '/v1/policy',
    { webhooks: { allow_private: true } },
    { 'if-match': await versionOf(program, '/v1/policy') },
  );
  await done(
    'PUT',
    '/v1/webhooks/desk',
    {
      url: 'http://127.0.0.1:9/hook',
      events: ['proposal.opened', 'insight.urgent', 'erasure.completed', 'run.failed'],
    },
    owner,
  );

  const forms = Object.fromEntries(
    writtenForms(SAID[1]).map(({ name, bytes }) => [
      name,
      bytes.toString('utf8').replaceAll('\0', ''),
    ]),
  );
  const of = { subject: SUBJECT, session: SESSION, task: 'task-31', project: 'harbour' };
  const mine: string[] = [];
  await done('PUT', `/v1/sessions/${SESSION}/blackboard/plan`, {
    value: { for: SUBJECT, next: SAID[4] },
  });
  mine.push(
    await report(
      { ...of, kind: 'chat', text: `I am ${SAID[0]}, and I only eat wombatstew. ${SAID[4]}` },
      1,
    ),
  );
  mine.push(
    await report(
      {
        ...of,
        service: 'crane',
        operation: 'lift',
        outcome: 'failed',
        input: { load: 'jacarandatree', of: SAID[2] },
        error: `the ${SAID[4]} is too heavy`,
        metadata: forms,
      },
      2,
    ),
  );
  mine.push(
    await report(
      {
        ...of,
        service: 'crane',
        operation: 'lift',
        input: { load: 'jacarandatree', of: SAID[1] },
        output: { told: SAID[3] },
      },
      3,
    ),
  );
  mine.push(
    await report(
      {
        ...of,
        kind: 'delegation',
        delegate: { agent: 'mate', cost: 2 },
        task_type: 'rigging',
        text: `mate rigged it for ${SAID[3]}`,
      },
      4,
    ),
  );
  for (const n of [5, 6, 7]) {
    mine.push(
      await report(
        {
          ...of,
          kind: 'workflow_step',
          workflow_step: { workflow: 'docking', step: 'moor' },
          outcome: 'failed',
          error: `no rope for ${SAID[2]}`,
        },
        n,
      ),
    );
  }
  mine.push(await report({ ...of, kind: 'observation', text: `${SAID[1]} likes the pier` }, 8));
  const others: string[] = [];
  const their = { subject: BYSTANDER, session: 'stay-heron-8' };
  others.push(
    await report({ ...their, service: 'crane', operation: 'lift', input: { load: 'iron' } }, 31),
  );
  others.push(
    await report(
      {
        ...their,
        service: 'crane',
        operation: 'lower',
        outcome: 'failed',
        input: { load: 'iron' },
        error: 'the hook is stuck',
      },
      32,
    ),
  );

  const [first = '', failed = ''] = mine;
  const card = await done('POST', '/v1/cards', {
    summary: `${SAID[0]} asked for the room with ${SAID[2]} above the pier.`,
    subject: SUBJECT,
    topic: 'jacarandatree',
    metadata: { told: SAID[4] },
  });
  const id = card.id as unknown as string;
  await done(
    'PATCH',
    `/v1/cards/${id}`,
    { summary: `${SAID[0]} asked for the quiet room with ${SAID[1]} above it.` },
    { ...owner, 'if-match': '"1"' },
  );
  await done('PUT', `/v1/cards/${id}/grants/mate`, { purpose: `for ${SAID[3]}` }, owner);
  await done('PUT', `/v1/cards/${first}/group-grants/crew`, { purpose: `for ${SAID[1]}` }, owner);
  await done(
    'POST',
    `/v1/cards/${id}/validation`,
    { verdict: 'success', note: `${SAID[4]} said so` },
    owner,
  );
  await done(
    'POST',
    '/v1/recall',
    { query: `what does ${SAID[0]} eat? crane lift jacarandatree` },
    { ...AGENT, 'cairn-session': SESSION },
  );
  await done(
    'POST',
    '/v1/recall',
    { query: 'crane lift room pier' },
    { ...mate, 'cairn-session': 'stay-heron-8' },
  );
  // A restricted agent by its own key: what it posts waits.
  const { key } = await done(
    'POST',
    '/v1/keys',
    { principal: { kind: 'agent', id: 'intern' } },
    owner,
  );
  await done(
    'POST',
    '/v1/cards',
    { summary: `${SAID[1]} wants the wombatstew again, says the intern.`, subject: SUBJECT },
    { authorization: `Bearer ${key}` },
  );

  await done('PUT', '/v1/conversations/talk-1', { subject: SUBJECT });
  await done('POST', '/v1/conversations/talk-1/messages', {
    messages: [
      {
        role: 'user',
        content: `My name is ${SAID[0]} and my allergy is wombatstew. My friend is ${SAID[2]}.`,
        at: day(9),
      },
      {
        role: 'assistant',
        content: `Noted, ${SAID[3]}: no wombatstew. I decided to book the pier for 7 pm.`,
        at: day(9),
      },
      {
        role: 'tool',
        content: JSON.stringify({ room: SAID[1], price: 120 }),
        name: 'rooms',
        tool_call_id: 'c1',
        at: day(9),
      },
      { role: 'assistant', content: `The room is ${SAID[1]} for 120 a night.`, at: day(9) },
    ],
  });
  await done('GET', '/v1/conversations/talk-1/context?budget_tokens=500');
  await done('POST', '/v1/conversations/talk-1/close', undefined);

  const insight = await done('POST', '/v1/insights', {
    origin: 'user_explore',
    title: `Stews of ${SAID[3]}`,
    finding: `${SAID[0]} spends $900 a week on wombatstew, up from $400.`,
    domain: 'menu',
    severity: 'critical',
    sources: [failed],
    metrics: [{ name: 'wombatstew_cost', value: 900, unit: 'USD', at: day(10) }],
    actions: [{ text: `Offer ${SAID[4]} the cheaper stew` }],
  });
  const [action] = insight.actions as unknown as { id: string }[];
  await done(
    'POST',
    `/v1/insights/${insight.id as unknown as string}/actions/${action?.id}/taken`,
    {},
    owner,
  );
  await done(
    'POST',
    `/v1/insights/${insight.id as unknown as string}/outcome`,
    { action_id: action?.id, result: 'improved', size: -0.2, note: `${SAID[1]} is glad` },
    owner,
  );

  const skill = await done('POST', '/v1/skills', {
    name: 'stew-for-a-guest',
    description: `What ${SAID[3]} eats`,
    document: {
      purpose: `Cook for ${SAID[0]}`,
      steps: [
        { text: `Ask ${SAID[2]} for the jacarandatree`, service: 'crane', operation: 'lift' },
      ],
    },
    tests: [{ kind: 'manual', must_mention: ['jacarandatree'], must_not_mention: [] }],
  });
  const note = await done('POST', '/v1/cards', {
    summary: `Over three stays ${SAID[4]} wanted wombatstew.`,
    kind: 'insight',
  });
  const shared = await done('POST', '/v1/cards', {
    summary: `Cranes lift iron; the load of ${SAID[2]} was too heavy.`,
    kind: 'insight',
  });
  const everybody = { scope: { type: 'workspace', id: 'default' }, reason: `${SAID[0]} agrees` };
  await done('POST', `/v1/cards/${id}/promotion`, everybody, owner);
  // As a model words a fix: by what it read in the evidence.
  await sql(program, 'UPDATE proposals SET summary = summary || $1, title = title || $2', [
    ` ${SAID[2]} had no rope.`,
    ` of ${SAID[1]}`,
  ]);
  const [skillCard] = await sql<{ card_id: string }>(
    program,
    'SELECT card_id FROM skills WHERE name = $1',
    [skill.name],
  );
  const derive = (from: unknown, to: unknown, reason = `as ${SAID[3]} said`) =>
    sql(
      program,
      `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
                  VALUES ('default', 'edge_' || md5($1 || $2), 'derived_from', $1, $2, 1, $3, now())`,
      [from, to, reason],
    );
  await sql(
    program,
    "UPDATE cards SET writer_kind = 'system', writer_id = 'consolidation' WHERE id = ANY ($1)",
    [[note.id, shared.id, skillCard?.card_id]],
  );
  await sql(
    program,
    "UPDATE skill_versions SET cards = ARRAY[$2], events = ARRAY['visit-3'], writer_kind = 'system' WHERE card_id = $1",
    [skillCard?.card_id, failed],
  );
  await sql(
    program,
    "UPDATE skill_tests SET source_event = 'visit-3', source_card = $2 WHERE card_id = $1",
    [skillCard?.card_id, failed],
  );
  for (const from of [note.id, shared.id, skillCard?.card_id]) await derive(from, failed);
  await derive(shared.id, others[0], 'as it was with iron');
  return { others, events: mine };
}

async function versionOf(program: Program, path: string): Promise<string> {
  return `"${(await program.call('GET', path)).body.version}"`;
}

/** One statement on the database of a running Cairn, as its owner. */
export async function sql<Row>(
  program: Program,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: program.runtime.database_url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Row[];
  } finally {
    await client.end();
  }
}
