/**
 * The context of a conversation of 1,000 turns: what it costs, and what is left in it of what was said.
 *
 *   npm run bench:conversations -- [--turns 1000] [--reads 300] [--model http://127.0.0.1:11434/v1 --name llama3.2]
 *
 * The turns are real talk of the test data; sixty details of our own are said among them, from the very beginning on,
 * some by tools whose results have 20 KB. Server and worker are those of production, on a Postgres of their own, and
 * no model is asked. Three figures: the time of `GET …/context` beside one plain SELECT of the same rows over the same
 * HTTP stack; its tokens beside keeping all; and the share of the details that stand in it when each is asked about,
 * beside an unsteered summary of the same length: a narrative of first sentences and, with `--model`, one that an
 * endpoint writes when it is asked for a summary and nothing else. Prints one JSON document.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Fastify from 'fastify';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { Pool } from 'pg';
import type { ConversationContext, NewMessage } from '../src/contracts/conversation';
import { conversationsOf } from './support/conversations';
import { machine, percentile, rounded } from './support/machine';
import { PLANTED, type Planted, rawResult } from './support/planted';
import { type Stack, startStack } from './support/stack';
import { narrative, summaryByModel } from './support/unsteered';

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '1000' },
    reads: { type: 'string', default: '300' },
    model: { type: 'string' },
    name: { type: 'string', default: 'llama3.2' },
  },
});
const TURNS = Number(values.turns);
const READS = Number(values.reads);
const WARM = 20;
const PART = 50;
const SUMMARY_TOKENS = 2_000;
const KEEP_RECENT = 20;
const PATH = '/v1/conversations/bench';
const HEADERS = { 'cairn-agent': 'scout', 'content-type': 'application/json' };

async function main(): Promise<void> {
  const messages = conversation();
  const stack = await startStack({ embedding: false });
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 2 });
  try {
    await call(stack, 'PUT', PATH, { subject: 'the-user' });
    const from = performance.now();
    for (let at = 0; at < messages.length; at += PART) {
      await call(stack, 'POST', `${PATH}/messages`, { messages: messages.slice(at, at + PART) });
      await settled(pool);
    }
    const toldIn = rounded((performance.now() - from) / 1_000, 1);
    const before = await call<ConversationContext>(stack, 'GET', `${PATH}/context`);
    const latency = await compared(stack, pool);
    // Contacts are tokens by now, for whoever sums up.
    const stored = await storedMessages(pool);
    const planted = PLANTED.map((detail) => withToken(detail, stored));
    const ours = await survived(stack, planted);
    const kept = stored.slice(-KEEP_RECENT).map(({ content }) => content);
    const told = stored.slice(0, -KEEP_RECENT);
    const budget = { tokens: SUMMARY_TOKENS, count: countTokens };
    const plain = [narrative(told, budget), ...kept].join('\n');
    // Nobody asks an unsteered summary what "yesterday" comes to.
    const asSaid = planted.map((one) => ({
      ...one,
      keeps: one.keeps.map((text) => text.replace(/ \(.*$/, '')),
    }));
    const unsteered = asSaid.filter((detail) => holds(plain, detail));
    const byModel =
      values.model === undefined
        ? null
        : [await summaryByModel({ url: values.model, name: values.name }, told, budget), ...kept];
    const all = messages.reduce((sum, { content }) => sum + countTokens(content) + 4, 0);
    console.log(
      JSON.stringify(
        {
          bench: 'conversations',
          at: new Date().toISOString(),
          machine: machine(),
          turns: messages.length,
          told_in_s: toldIn,
          context_ms: latency.context,
          plain_select_ms: latency.plain,
          p50_ratio: latency.p50,
          p99_ratio: latency.p99,
          tokens: {
            keeping_all: all,
            context: before.tokens,
            share: rounded(before.tokens / all, 3),
            context_when_asked: Math.round(percentile(ours.tokens, 0.5)),
          },
          planted: PLANTED.length,
          survived: {
            steered: share(ours.found.length),
            in_summary_alone: share(ours.inSummary),
            unsteered: share(unsteered.length),
            ...(byModel === null
              ? {}
              : {
                  unsteered_by_model: share(
                    asSaid.filter((detail) => holds(byModel.join('\n'), detail)).length,
                  ),
                }),
          },
          lost: planted.filter((detail) => !ours.found.includes(detail)).map(({ asks }) => asks),
          unsteered_lost: byKind(asSaid.filter((detail) => !unsteered.includes(detail))),
        },
        null,
        2,
      ),
    );
  } finally {
    await pool.end();
    await stack.stop();
  }
}

const share = (count: number) => rounded(count / PLANTED.length, 3);

function byKind(details: readonly Planted[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of details) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Real talk, with the details said evenly from the beginning on; none among the newest, which stay anyway. */
function conversation(): NewMessage[] {
  const folder = process.env.CAIRN_TEST_DATA;
  if (!folder) throw new Error('set CAIRN_TEST_DATA to the folder with locomo-dev.json');
  const samples = JSON.parse(readFileSync(join(folder, 'locomo-dev.json'), 'utf8'));
  const turns = conversationsOf(samples).flatMap((sample) => sample.turns);
  const step = Math.floor((TURNS - 3 * KEEP_RECENT) / PLANTED.length);
  const messages: NewMessage[] = [];
  let next = 0;
  const start = Date.parse('2025-01-06T09:00:00Z');
  const at = () => new Date(start + messages.length * 3_600_000).toISOString();
  for (const [n, { text }] of turns.entries()) {
    if (messages.length >= TURNS) break;
    messages.push({ role: n % 2 === 0 ? 'user' : 'assistant', content: text, at: at() });
    const detail = PLANTED[next];
    if (detail === undefined || messages.length < next * step + 2) continue;
    next += 1;
    if (detail.says !== undefined) messages.push({ role: 'user', content: detail.says, at: at() });
    if (detail.tool === undefined) continue;
    const { value, answer } = detail.tool;
    messages.push({ role: 'assistant', content: 'Let me look that up.', at: at() });
    messages.push({ role: 'tool', tool_call_id: `call-${n}`, content: rawResult(value), at: at() });
    messages.push({ role: 'assistant', content: answer, at: at() });
  }
  if (next < PLANTED.length) throw new Error('the conversation is too short for its details');
  return messages;
}

async function call<T = unknown>(
  stack: Stack,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(new URL(path, stack.url), {
    method,
    headers: { ...HEADERS, authorization: `Bearer ${stack.key}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Until no compaction is under way. */
async function settled(pool: Pool): Promise<void> {
  for (const until = Date.now() + 120_000; Date.now() < until; await sleep(50)) {
    const { rows } = await pool.query('SELECT 1 FROM conversations WHERE compacting IS NOT NULL');
    if (rows.length === 0) return;
  }
  throw new Error('a compaction did not end in two minutes');
}

const holds = (text: string, { keeps }: Planted): boolean =>
  keeps.every((kept) => text.includes(kept));

async function storedMessages(pool: Pool): Promise<NewMessage[]> {
  const { rows } = await pool.query<NewMessage>(
    "SELECT role, content, at FROM messages WHERE conversation_id = 'bench' ORDER BY n",
  );
  return rows;
}

/** Of a contact the very token that it became. */
function withToken(detail: Planted, stored: readonly NewMessage[]): Planted {
  if (detail.kind !== 'contact') return detail;
  const opening = detail.says?.slice(0, 24) ?? '';
  const message = stored.find(({ content }) => content.startsWith(opening));
  const token = /\[(?:EMAIL|PHONE)_\w+\]/.exec(message?.content ?? '')?.[0];
  if (token === undefined) throw new Error(`no token stands in: ${message?.content}`);
  return { ...detail, keeps: [token] };
}

/** Each is asked about at the end of the conversation, one after the other. */
async function survived(stack: Stack, planted: readonly Planted[]) {
  const found: Planted[] = [];
  const tokens: number[] = [];
  let inSummary = 0;
  for (const [n, detail] of planted.entries()) {
    const at = new Date(Date.parse('2026-06-01T09:00:00Z') + n * 60_000).toISOString();
    const question = { role: 'user', content: detail.asks, at };
    await call(stack, 'POST', `${PATH}/messages`, { messages: [question] });
    const context = await call<ConversationContext>(stack, 'GET', `${PATH}/context`);
    tokens.push(context.tokens);
    inSummary += Number(holds(context.summary?.text ?? '', detail));
    // What merely was asked is no answer.
    const asked = new Set(PLANTED.map(({ asks }) => asks));
    const text = context.messages
      .filter(({ content }) => !asked.has(content))
      .map(({ content }) => content)
      .join('\n');
    if (holds(text, detail)) found.push(detail);
  }
  return { found, tokens, inSummary };
}

/** In turn, so that both meet the same noise. */
async function compared(stack: Stack, pool: Pool) {
  const app = Fastify();
  app.get('/rows', async () => {
    const { rows } = await pool.query({
      name: 'rows',
      text: `SELECT c.summary, m.n, m.role, m.name, m.tool_call_id, COALESCE(m.extracted, m.content) AS content
               FROM conversations c
               JOIN messages m ON m.workspace_id = c.workspace_id AND m.conversation_id = c.id
                              AND m.n > c.summarized_through
              WHERE c.workspace_id = 'default' AND c.id = 'bench' AND c.agent_id = 'scout'
              ORDER BY m.n`,
    });
    return { messages: rows };
  });
  const plainUrl = await app.listen({ port: 0, host: '127.0.0.1' });
  const plain: number[] = [];
  const context: number[] = [];
  for (let n = 0; n < READS + WARM; n += 1) {
    const one = await timed(`${plainUrl}/rows`, {});
    const two = await timed(`${stack.url}${PATH}/context`, {
      ...HEADERS,
      authorization: `Bearer ${stack.key}`,
    });
    if (n < WARM) continue;
    plain.push(one);
    context.push(two);
  }
  await app.close();
  const figures = (samples: number[]) => ({
    p50: rounded(percentile(samples, 0.5)),
    p99: rounded(percentile(samples, 0.99)),
  });
  const [a, b] = [figures(context), figures(plain)];
  return { context: a, plain: b, p50: rounded(a.p50 / b.p50), p99: rounded(a.p99 / b.p99) };
}

async function timed(url: string, headers: Record<string, string>): Promise<number> {
  const from = performance.now();
  const answer = await fetch(url, { headers });
  await answer.arrayBuffer();
  return performance.now() - from;
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
