import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { CaptureResult } from '../../../src/contracts/messages';
import { Ledger, type Settled } from './ledger';
import type { Load } from './load';
import type { Stack } from './stack';

/** An outbox item that failed often waits a minute, and so does a step that Postgres was away for. */
const SETTLE_DEADLINE_MS = 240_000;
/**
 * A step whose worker was killed after its commit is noticed after 30 s and done again, at most a minute
 * later; Temporal's own listing is a moment behind.
 */
const CLOSING_DEADLINE_MS = 120_000;
/** Results that are read back one by one and compared with Postgres. */
const SAMPLED = 15;

/** Waits until nothing is in hand any more, and tells everything that is not as it should be. */
export async function violationsOf(stack: Stack, load: Load): Promise<string[]> {
  const ledger = new Ledger(stack.databaseUrl());
  const deadline = Date.now() + SETTLE_DEADLINE_MS;
  while ((await ledger.waiting().catch(() => 1)) > 0 && Date.now() < deadline) await sleep(250);
  const broken = await ledger.broken();
  const settled = await ledger.settled();
  return [
    ...load.odd,
    ...stack.surprises,
    ...broken,
    ...missing(load, settled),
    ...(await overHttp(stack, settled)),
    ...(await inTemporal(stack, settled)),
  ];
}

function missing(load: Load, settled: ReadonlyMap<string, Settled>): string[] {
  const lost = [...load.acknowledged].filter((id) => !settled.has(id));
  const unknown = [...settled.keys()].filter((id) => !load.acknowledged.has(id));
  return [
    ...(lost.length === 0 ? [] : [`acknowledged and gone: ${lost.length} (${lost.slice(0, 5)})`]),
    ...(unknown.length === 0 ? [] : [`never acknowledged: ${unknown.slice(0, 5)}`]),
  ];
}

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

interface ShownCard {
  id: string;
  kind: string;
}

/** Whoever asks the API gets the same answer as whoever reads the tables. */
async function overHttp(stack: Stack, settled: ReadonlyMap<string, Settled>): Promise<string[]> {
  const events = await everyPage<{ event_id: string; disposition: string }>(stack, '/v1/events');
  const all = await everyPage<ShownCard>(stack, '/v1/cards');
  // A record of who is good at what is the sum of many events and stands for none.
  const cards = all.filter(({ kind }) => kind !== 'competence');
  const carded = [...settled.values()].flatMap((one) => one.card_id ?? []).sort();
  const shown = cards.map((card) => card.id).sort();
  const lines: string[] = [];
  if (events.length !== settled.size) {
    lines.push(`GET /v1/events shows ${events.length} of ${settled.size}`);
  }
  for (const { event_id, disposition } of events) {
    const inTable = settled.get(event_id)?.disposition;
    if (disposition !== inTable) lines.push(`${event_id} is ${disposition}, in SQL ${inTable}`);
  }
  if (shown.join() !== carded.join()) {
    lines.push(`GET /v1/cards shows ${shown.length} of ${carded.length}`);
  }
  return lines;
}

async function everyPage<Item>(stack: Stack, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await fetch(`${stack.urls()[0]}${path}?limit=500${after}`, {
      headers: { authorization: `Bearer ${stack.key}` },
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as Page<Item>;
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

async function inTemporal(stack: Stack, settled: ReadonlyMap<string, Settled>): Promise<string[]> {
  const { address, namespace } = stack.temporal();
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  try {
    const open = await untilNone(
      client,
      "WorkflowType = 'capture' AND ExecutionStatus = 'Running'",
    );
    const ended = await idsOf(
      client,
      "WorkflowType = 'capture' AND ExecutionStatus != 'Running' AND ExecutionStatus != 'Completed'",
    );
    const lines = [
      ...open.map((id) => `${id} is still open`),
      ...ended.map((id) => `${id} did not complete`),
    ];
    for (const one of [...settled.values()].slice(0, SAMPLED)) {
      const handle = client.workflow.getHandle(one.workflow_id);
      const record = (await handle.result()) as CaptureResult;
      if (record.card_id !== one.card_id || record.disposition !== one.disposition) {
        lines.push(`${one.workflow_id} ended with ${JSON.stringify(record)}`);
      }
    }
    return lines;
  } finally {
    await connection.close();
  }
}

async function untilNone(client: Client, query: string): Promise<string[]> {
  const deadline = Date.now() + CLOSING_DEADLINE_MS;
  for (;;) {
    const ids = await idsOf(client, query);
    if (ids.length === 0 || Date.now() > deadline) return ids;
    await sleep(500);
  }
}

async function idsOf(client: Client, query: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId);
  return ids;
}
