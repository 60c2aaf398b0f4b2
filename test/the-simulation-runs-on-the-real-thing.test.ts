import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CairnArm, cairn } from '../src/cli/simulate/cairn/arm';
import { type Stack, startStack } from '../src/cli/simulate/cairn/stack';
import { type Repeat, watched } from '../src/cli/simulate/repeats';
import { tokensOf } from '../src/cli/simulate/tokens';
import { buildWorld } from '../src/cli/simulate/world/build';
import { MEMORY_TOKENS, WORLD } from '../src/cli/simulate/world/frozen';
import type { Measures } from '../src/cli/simulate/world/measures';
import { runWorld } from '../src/cli/simulate/world/run';
import { agentsOf, midnightOf, type PlannedCall, planTasks } from '../src/cli/simulate/world/tasks';
import type { RecallAnswer } from '../src/client';
import { readOptions } from '../src/config/options';
// Its mock of a package of the docs page has to stand before the app is loaded.
import './support/api';
import { workflowBundlePath } from './support/temporal';

/** A small world of the same rules: four agents, a week of three days. */
const SMALL = { ...WORLD, weeks: 1, daysAWeek: 3, agentsATeam: 2, tasksADay: 2 };
const SEED = 11;
const world = buildWorld(SEED, SMALL);

interface Read {
  call: PlannedCall;
  answer: RecallAnswer;
  text: string;
  tokens: number;
}

let dir: string;
let stack: Stack;
let arm: CairnArm;
let measures: Measures;
const reads: Read[] = [];
const repeats: Repeat[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-simulated-'));
  const { CAIRN_CACHE_DIR, PATH } = process.env;
  const options = readOptions({
    CAIRN_DATA_DIR: dir,
    CAIRN_CACHE_DIR: CAIRN_CACHE_DIR ?? join(homedir(), '.cache', 'cairn'),
    PATH,
  });
  const quiet = () => undefined;
  stack = await startStack(options, SEED, midnightOf(world, 0), quiet, workflowBundlePath());
  arm = await cairn(stack, world, { passes: false, grants: true });
  const looked = watched(world, arm, async (repeat) => {
    repeats.push(repeat);
  });
  measures = await runWorld(
    SEED,
    {
      ...looked,
      before: async (call, agent, at) => {
        const memory = await looked.before(call, agent, at);
        const answer = arm.recalled();
        if (answer !== null) reads.push({ call, answer, ...memory });
        return memory;
      },
    },
    { parameters: SMALL },
  );
}, 240_000);

afterAll(async () => {
  await stack.stop();
  rmSync(dir, { recursive: true, force: true });
}, 60_000);

it('takes every task of the world through the API, and every event is carded', () => {
  const tasks = planTasks(world);
  expect(measures.tasks).toBe(tasks.length);
  expect(reads.map(({ call }) => call.id)).toEqual(
    tasks.flatMap((task) => task.calls.map((call) => call.id)),
  );
  expect(arm.notes()).toMatchObject({
    captures: measures.calls + tasks.length,
    dispositions: { carded: measures.calls + tasks.length },
  });
});

it('gives the reader what recall answered, within the budget that all arms have', () => {
  for (const { answer, text, tokens } of reads) {
    expect(text.endsWith(answer.context)).toBe(true);
    expect(tokens).toBe(tokensOf(text));
    expect(tokens).toBeLessThanOrEqual(MEMORY_TOKENS);
  }
  expect(measures.promptTokens).toBe(reads.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(reads.filter(({ text }) => text !== '').length).toBeGreaterThan(reads.length / 2);
});

it("shows nobody another's card that no person has promoted and no team mate was granted", async () => {
  const promoted = new Set<unknown>();
  for await (const one of stack.owner.proposals.iterate({ type: 'promotion', status: 'applied' })) {
    promoted.add((one.change as { card_id?: string }).card_id);
  }
  const foreign = reads.flatMap(({ call, answer }) =>
    answer.cards
      .filter(({ scope }) => !(scope.type === 'agent' && scope.id === call.agent))
      .map((card) => ({ card, call })),
  );
  const mates = new Map(agentsOf(world).map(({ agent, team }) => [agent, team]));
  const granted = foreign.filter(({ card }) => card.scope.type === 'agent');
  for (const { card, call } of granted) {
    expect(card.vias).toContain('explicit');
    expect(mates.get(card.scope.id)).toBe(call.team);
  }
  expect(granted.filter(({ call }) => call.day === 0).length).toBeGreaterThan(0);
  const others = foreign.filter(({ card }) => card.scope.type !== 'agent');
  for (const { card, call } of others) {
    if (!promoted.has(card.id) && card.kind !== 'competence') {
      // What a pass made of cards is shown to those who see all of them.
      expect(card.provenance.writer.kind).toBe('system');
      const { sources } = await stack.owner.cards.lineage(card.id);
      for (const source of sources.filter(({ generation }) => generation === 1)) {
        expect(await arm.sight(call.agent, source.id)).not.toBeNull();
      }
    }
    const paths = [`team/${call.team}`, `workspace/${stack.workspace}`];
    expect(paths).toContain(`${card.scope.type}/${card.scope.id}`);
  }
  // Of the first day no person had decided anything yet; later one had.
  expect(others.filter(({ call }) => call.day === 0)).toEqual([]);
  expect(others.length).toBeGreaterThan(0);
});

it('has its reviewer decide all that waits, in the evening of each day', async () => {
  const waiting = await stack.owner.proposals.list({ status: ['open', 'reopened'] });
  const decided = await stack.owner.proposals.list({ status: ['applied', 'approved', 'proven'] });
  const evening = stack.clock.told(new Date(midnightOf(world, 2) + 22 * 3_600_000).toISOString());
  expect(waiting.items.filter((one) => one.created_at < evening)).toEqual([]);
  expect(decided.items.length).toBeGreaterThan(0);
  expect(new Set(decided.items.flatMap(({ decisions }) => decisions.map(({ by }) => by)))).toEqual(
    new Set(['reviewer']),
  );
});

it('names each repeated mistake that is counted', () => {
  expect(repeats.length).toBe(measures.repeatedMistakes);
  expect(repeats.filter(({ first }) => first).length).toBe(measures.repeatedCalls);
});
