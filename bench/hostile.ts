/**
 * The long hostile lane: mutated events, damaged bytes and odd requests against a real Cairn.
 *
 * `npm run hostile -- [--seed N] [--minutes M] [--events N]`
 *
 * Starts an embedded Cairn of its own, or speaks to that of CAIRN_URL and CAIRN_KEY. Prints the seed
 * first and a tally as JSON last. Exit code 1 where an answer was a 5xx or no proper problem document,
 * where a bad event cost its neighbours, where an accepted one was not settled with its card or its
 * reason, or where the service is not ready at the end; the smallest input that shows it is kept in a
 * file. The same seed sends the same inputs in the same order. Events of the fleet in the folder
 * CAIRN_TEST_DATA are what it starts from, else a few of its own.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { eventIn } from '../src/cli/import/event-line';
import { Dice, seedOf } from '../test/support/faults/dice';
import { Program } from '../test/support/program';
import { HostileClient } from './support/hostile-client';
import { type EventNode, HostileRun } from './support/hostile-run';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    events: { type: 'string', default: '10000' },
  },
});

/** Events of the fleet, as `cairn import --omit labels` sends them. */
function sources(): EventNode[] {
  const own: EventNode[] = [
    {
      kind: 'service_call',
      agent: 'scout',
      service: 'mailer',
      operation: 'send',
      outcome: 'failed',
    },
    { kind: 'workflow_step', agent: 'scout', outcome: 'worked', input: { city: 'Rome' } },
    { kind: 'chat', agent: 'desk', outcome: 'worked', messages: [{ role: 'user', content: 'hi' }] },
    { kind: 'delegation', agent: 'lead', outcome: 'failed', delegate: { agent: 'scout', cost: 2 } },
    { kind: 'failure', agent: 'scout', outcome: 'blocked', error: { code: 429, message: 'limit' } },
    { kind: 'observation', agent: 'desk', outcome: 'neutral', text: 'It rained.', metadata: {} },
  ].map((event) => ({ ...event, occurred_at: '2026-06-01T09:00:00Z' }));
  const folder = process.env.CAIRN_TEST_DATA;
  if (folder === undefined) return own;
  const lines = readFileSync(join(folder, 'fleet-dev.jsonl'), 'utf8').split('\n').filter(Boolean);
  const read = lines.slice(0, 1_000).map((line) => eventIn(line, new Set(['labels'])));
  return [
    ...own,
    ...read.flatMap((one) => ('event' in one ? [one.event as unknown as EventNode] : [])),
  ];
}

async function main(): Promise<void> {
  const seed = seedOf(flags.seed);
  const [minutes, events] = [Number(flags.minutes), Number(flags.events)];
  if (!(minutes > 0) || !(events > 0))
    throw new Error('--minutes and --events are numbers above 0');
  process.stdout.write(`seed ${seed}, at most ${minutes} minutes and ${events} events\n`);
  const { CAIRN_URL: url, CAIRN_KEY: key } = process.env;
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-hostile-'));
  const program =
    url === undefined ? await Program.start(dataDir, { CAIRN_LOG_LEVEL: 'warn' }) : null;
  const started = Date.now();
  try {
    const client = new HostileClient(
      program?.runtime.url ?? url ?? '',
      program?.ownerKey ?? key ?? '',
    );
    const prefix = `h${seed}-${started.toString(36)}`;
    const folder = join(tmpdir(), `cairn-hostile-faults-${prefix}`);
    const run = new HostileRun(client, new Dice(seed), sources(), prefix, folder);
    await run.forAWhile(events, started + minutes * 60_000);
    const seconds = Math.round((Date.now() - started) / 1_000);
    process.stdout.write(`${JSON.stringify({ seed, seconds, ...run.report() })}\n`);
    process.exitCode = run.faults.length === 0 ? 0 : 1;
  } finally {
    await program?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
