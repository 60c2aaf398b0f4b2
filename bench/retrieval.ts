/**
 * Evidence recall and MRR of real questions, beside BM25, dense and plain fusion over the same cards.
 *
 *   npm run bench:retrieval -- [--conversations N] [--misses] [--hashed]
 *
 * Every turn of a long conversation is reported as an event and becomes a card by the whole pipeline:
 * HTTP, intake, workflow, distilling, filing. One agent a conversation; a session a sitting. Each question
 * is then a recall of that agent, and the gold is the turns that its answer rests on (categories 1 to 4).
 * The baselines rank the same cards by their indexed text and their stored vectors. One JSON document.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { miniLm } from './support/asking';
import { type Conversation, conversationsOf, type Question } from './support/conversations';
import { machine, rounded } from './support/machine';
import { rankings, type StoredCard } from './support/rankings';
import { type Stack, startStack } from './support/stack';

const { values } = parseArgs({
  options: {
    conversations: { type: 'string', default: '100' },
    misses: { type: 'boolean', default: false },
    policy: { type: 'string' },
  },
});
const AT_ONCE = 3;
const BATCH = 200;
const DEEPEST = 20;
const CATEGORIES: Record<number, string> = {
  1: 'multi_hop',
  2: 'temporal',
  3: 'open_domain',
  4: 'single_hop',
};

/** Of one question: the places of the gold among the answer, from 0; infinite where it is not there. */
type Places = readonly number[];

async function main(): Promise<void> {
  const folder = process.env.CAIRN_TEST_DATA;
  if (!folder) throw new Error('set CAIRN_TEST_DATA to the folder with locomo-dev.json');
  const conversations = conversationsOf(
    JSON.parse(readFileSync(join(folder, 'locomo-dev.json'), 'utf8')),
  ).slice(0, Number(values.conversations));
  const stack = await startStack({ embedding: true });
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 2 });
  const embedder = await miniLm();
  try {
    if (values.policy) await changePolicy(stack, JSON.parse(values.policy));
    const from = performance.now();
    for (const conversation of conversations) await report(stack, conversation);
    await untilCarded(stack, pool, conversations);
    await pool.query('ANALYZE');
    const filled = rounded((performance.now() - from) / 1_000, 1);
    const of: Record<string, { question: Question; places: Places }[]> = {};
    for (const conversation of conversations) {
      const cards = await storedCards(pool, conversation.agent);
      const rank = rankings(cards, embedder);
      const place = (order: readonly string[], question: Question): Places =>
        question.evidence.map((id) => {
          const at = order.indexOf(`${conversation.agent}/${id}`);
          return at < 0 ? Number.POSITIVE_INFINITY : at;
        });
      const add = (method: string, question: Question, order: readonly string[]) => {
        of[method] ??= [];
        of[method].push({ question, places: place(order, question) });
      };
      await each(conversation.questions, async (question) => {
        add('cairn', question, await recalled(stack, conversation.agent, question.text));
        for (const [method, order] of Object.entries(await rank(question.text))) {
          add(method, question, order);
        }
      });
    }
    console.log(
      JSON.stringify(
        {
          bench: 'retrieval',
          at: new Date().toISOString(),
          machine: machine(),
          embedder: embedder.id,
          conversations: conversations.length,
          turns: conversations.reduce((sum, { turns }) => sum + turns.length, 0),
          filled_in_s: filled,
          methods: Object.fromEntries(
            Object.entries(of).map(([method, answered]) => [method, figures(answered)]),
          ),
        },
        null,
        2,
      ),
    );
    if (values.misses) {
      for (const { question, places } of of.cairn ?? []) {
        if (places.some((place) => place >= 10))
          console.error(JSON.stringify({ ...question, places }));
      }
    }
  } finally {
    await embedder.close();
    await pool.end();
    await stack.stop();
  }
}

async function call(stack: Stack, method: string, path: string, body: unknown, headers = {}) {
  const answer = await fetch(`${stack.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${stack.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const parsed = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(parsed)}`);
  return parsed;
}

async function changePolicy(stack: Stack, patch: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${stack.key}` };
  const current = await fetch(`${stack.url}/v1/policy`, { headers });
  await call(stack, 'PUT', '/v1/policy', patch, {
    'if-match': current.headers.get('etag') ?? '"0"',
  });
}

async function report(stack: Stack, conversation: Conversation): Promise<void> {
  for (let at = 0; at < conversation.turns.length; at += BATCH) {
    const events = conversation.turns.slice(at, at + BATCH).map((turn) => ({
      event_id: `${conversation.agent}/${turn.id}`,
      kind: 'chat',
      agent: conversation.agent,
      session: `${conversation.agent}/${turn.sitting}`,
      outcome: 'neutral',
      occurred_at: turn.at,
      messages: [{ role: 'user', name: turn.speaker, content: turn.text }],
    }));
    const { items } = await call(stack, 'POST', '/v1/events', { events });
    const refused = (items as { status: string }[]).find(({ status }) => status !== 'accepted');
    if (refused) throw new Error(`not accepted: ${JSON.stringify(refused)}`);
  }
}

async function untilCarded(stack: Stack, pool: Pool, conversations: Conversation[]): Promise<void> {
  const turns = conversations.reduce((sum, one) => sum + one.turns.length, 0);
  for (;;) {
    const { rows } = await pool.query(
      `SELECT count(*) FILTER (WHERE disposition <> 'pending')::int AS settled,
              count(*) FILTER (WHERE disposition NOT IN ('pending', 'carded', 'duplicate_content'))::int AS lost
         FROM captures`,
    );
    if (rows[0].lost > 0) throw new Error(`${rows[0].lost} events became no card`);
    if (rows[0].settled >= turns) return;
    if (stack.worker.exitCode !== null) throw new Error('the worker ended');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function storedCards(pool: Pool, agent: string): Promise<StoredCard[]> {
  const { rows } = await pool.query(
    `SELECT c.event_id, e.embedding::text AS vector,
            (SELECT jsonb_object_agg(t.term, t.frequency) FROM card_terms t
              WHERE t.workspace_id = c.workspace_id AND t.card_id = c.id) AS terms
       FROM cards c
       JOIN card_embeddings e ON e.workspace_id = c.workspace_id AND e.card_id = c.id
      WHERE c.scope_id = $1 AND e.field = 'summary'
      ORDER BY c.id`,
    [agent],
  );
  return rows.map(({ event_id, vector, terms }) => ({
    id: event_id,
    vector: JSON.parse(vector),
    terms: new Map(Object.entries(terms ?? {})) as Map<string, number>,
  }));
}

async function recalled(stack: Stack, agent: string, query: string): Promise<string[]> {
  const { cards } = await call(
    stack,
    'POST',
    '/v1/recall',
    { query, limit: DEEPEST, budget_tokens: 8_000 },
    { 'cairn-agent': agent },
  );
  return (cards as { provenance: { event_id: string } }[]).map((card) => card.provenance.event_id);
}

async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const one = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

function figures(answered: { question: Question; places: Places }[]) {
  const mean = (numbers: number[]) =>
    rounded(numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length), 3);
  const recallAt = (k: number, of = answered) =>
    mean(of.map(({ places }) => places.filter((place) => place < k).length / places.length));
  return {
    questions: answered.length,
    recall_at_5: recallAt(5),
    recall_at_10: recallAt(10),
    recall_at_20: recallAt(20),
    mrr: mean(answered.map(({ places }) => 1 / (1 + Math.min(...places)))),
    recall_at_10_by_category: Object.fromEntries(
      Object.entries(CATEGORIES).map(([category, name]) => [
        name,
        recallAt(
          10,
          answered.filter(({ question }) => question.category === Number(category)),
        ),
      ]),
    ),
  };
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
