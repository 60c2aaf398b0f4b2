/**
 * From a click or a key to what one sees of it, in a workspace of 10,000 cards.
 *
 *   npm run bench:console -- [--cards 10000] [--rounds 30]
 *
 * The cards come of real events (the folder CAIRN_TEST_DATA), through intake and capture as in
 * production. The pages are those that the server serves, in the Chromium of this machine
 * (CAIRN_CHROMIUM, or the one on PATH), signed in as the owner. A time begins when the browser takes the
 * input and ends with the second frame after the page has changed as it should, which is when that change
 * has been painted; the answer of the API lies within. Prints one JSON document.
 */
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import type { Browser } from 'playwright-core';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { Database } from '../src/store/database';
import { launchChromium } from '../test/support/console/chromium';
import { fill } from './support/fill';
import {
  firstLoad,
  INTERACTIONS,
  inputDelays,
  measured,
  openList,
  wordsOf,
} from './support/interactions';
import { machine, percentile, rounded } from './support/machine';
import { realEvents, type Stack, startStack } from './support/stack';

const { values } = parseArgs({
  options: {
    cards: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '30' },
  },
});
const CARDS = Number(values.cards);
const ROUNDS = Number(values.rounds);
/** Code is compiled and caches are filled in these. */
const WARM = 3;

async function filled(stack: Stack): Promise<number> {
  const from = performance.now();
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 1 });
  const database = new Database({
    url: stack.databaseUrl,
    connections: 4,
    acquireTimeoutMs: 30_000,
    onIdleError: () => {},
  });
  const embedder = createHashedEmbedder();
  try {
    await fill(database, embedder, realEvents(4_022), CARDS);
    await pool.query('ANALYZE');
  } finally {
    await embedder.close();
    await database.close();
    await pool.end();
  }
  return rounded((performance.now() - from) / 1_000, 1);
}

/** Words that find something, the most frequent first: a search that finds nothing has no facet to click. */
async function searchable({ url, key }: Stack): Promise<string[]> {
  const list = async (query: string): Promise<{ items: { summary: string }[] }> => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/v1/cards?${query}`, { headers });
    return (await answer.json()) as { items: { summary: string }[] };
  };
  const { items } = await list('limit=500');
  const found: string[] = [];
  for (const word of wordsOf(items.map(({ summary }) => summary))) {
    if (found.length === WARM + ROUNDS) break;
    if ((await list(`limit=1&q=${word}`)).items.length > 0) found.push(word);
  }
  if (found.length === 0) throw new Error('no word of the cards is found in them');
  return Array.from({ length: WARM + ROUNDS }, (_, n) => found[n % found.length] ?? '');
}

async function interactions(browser: Browser, stack: Stack) {
  const visit = await openList(browser, stack.url, stack.key);
  const samples = new Map<string, number[]>(INTERACTIONS.map((name) => [name, []]));
  for (const [round, word] of (await searchable(stack)).entries()) {
    for (const [name, took] of await measured(visit, word)) {
      if (round >= WARM) samples.get(name)?.push(took);
    }
  }
  const delays = await inputDelays(visit);
  const problems = visit.problems();
  await visit.close();
  return {
    to_paint_ms: Object.fromEntries([...samples].map(([name, times]) => [name, spread(times)])),
    input_to_next_frame_ms: delays.length === 0 ? 'none above one frame' : spread(delays),
    problems,
  };
}

function spread(times: readonly number[]) {
  const at = (share: number) => rounded(percentile(times, share), 1);
  return { samples: times.length, p50: at(0.5), p95: at(0.95) };
}

async function main(): Promise<void> {
  const browser = await launchChromium();
  const stack = await startStack({ embedding: false });
  try {
    const filledIn = await filled(stack);
    const { url, key } = stack;
    const first = {
      home: await firstLoad(browser, url, key, '/'),
      cards: await firstLoad(browser, url, key, '/cards'),
    };
    const result = await interactions(browser, stack);
    const head = { bench: 'console', at: new Date().toISOString(), machine: machine() };
    const of = { browser: browser.version(), cards: CARDS, rounds: ROUNDS, filled_in_s: filledIn };
    console.log(JSON.stringify({ ...head, ...of, first_load: first, ...result }, null, 2));
    if (result.problems.length > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await stack.stop();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
