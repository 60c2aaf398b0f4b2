/**
 * The long fault lane: random kills under steady load, then the invariant check.
 *
 * `npm run faults -- [--seed N] [--minutes M] [--stack embedded|native]`
 *
 * Prints the seed first, a line for each kill, and a tally as JSON last. Exit code 1 where anything was
 * lost, doubled, stuck or odd. The same seed gives the same kills in the same order; what they meet
 * depends on the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { locatePostgres, locateTemporalCli } from '../src/embedded/fetch';
import { Dice, seedOf } from '../test/support/faults/dice';
import { EmbeddedStack } from '../test/support/faults/embedded-stack';
import { violationsOf } from '../test/support/faults/invariants';
import { Ledger } from '../test/support/faults/ledger';
import { Load } from '../test/support/faults/load';
import { NativeStack } from '../test/support/faults/native-stack';
import { ALL, round } from '../test/support/faults/rounds';
import type { Stack } from '../test/support/faults/stack';
import { fetchOptions } from '../test/support/programs';

const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '5' },
    stack: { type: 'string', default: 'native' },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function stackOf(name: string, dir: string): Promise<Stack> {
  const temporalCli = await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI));
  switch (name) {
    case 'embedded':
      return new EmbeddedStack({ dir, temporalCli });
    case 'native':
      return await NativeStack.create({
        dir,
        temporalCli,
        postgresBinDir: await locatePostgres(fetchOptions()),
      });
    default:
      throw new Error(`--stack is embedded or native, not ${name}`);
  }
}

async function main(): Promise<void> {
  const seed = seedOf(flags.seed);
  const minutes = Number(flags.minutes);
  say(`seed ${seed}, ${minutes} minutes, ${flags.stack}`);
  const dice = new Dice(seed);
  const dir = mkdtempSync(join(tmpdir(), 'cairn-faults-'));
  const stack = await stackOf(flags.stack, dir);
  const kills: Record<string, number> = {};
  let violations: string[] = [];
  const started = Date.now();
  await stack.start();
  say(`${seconds(started)} up`);
  const load = new Load({
    urls: () => stack.urls(),
    key: stack.key,
    dice: new Dice(seed + 1),
    batch: [5, 30],
    pauseMs: 700,
    clients: 2,
  });
  try {
    load.start();
    const until = Date.now() + minutes * 60_000;
    while (Date.now() < until) {
      const victim = dice.next() < 0.15 ? ALL : dice.pick(stack.parts).name;
      // Mostly a moment, as a supervisor needs; sometimes long enough for every retry to wait.
      const away = dice.next() < 0.15 ? ([8_000, 20_000] as const) : ([0, 2_500] as const);
      kills[victim] = (kills[victim] ?? 0) + 1;
      await round(stack, victim, dice, {
        calm: [1_000, 7_000],
        away,
        say: (line) => say(`${seconds(started)} ${line}`),
      });
    }
    await load.stop();
    say(`${seconds(started)} the load has stopped; settling`);
    const settling = Date.now();
    violations = await violationsOf(stack, load);
    const withoutVector = await new Ledger(stack.databaseUrl()).withoutVector();
    for (const line of violations) say(`VIOLATION ${line}`);
    say(
      JSON.stringify({
        seed,
        stack: flags.stack,
        seconds: Math.round((Date.now() - started) / 1_000),
        settled_in_ms: Date.now() - settling,
        kills,
        acknowledged: load.acknowledged.size,
        ...load.counts,
        without_vector: withoutVector,
        violations: violations.length,
      }),
    );
  } finally {
    const exits = await stack.stop();
    say(JSON.stringify({ exits }));
    if (violations.length === 0) rmSync(dir, { recursive: true, force: true });
    else say(`kept ${dir}`);
  }
  process.exit(violations.length === 0 ? 0 : 1);
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1_000).toFixed(1).padStart(6)} s`;
}

void main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
