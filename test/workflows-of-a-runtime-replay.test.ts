import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { type CommittedHistory, committedHistories } from './support/histories';
import { bundled, runtimeBundle } from './support/native/runtime-lane';
import { build } from './support/program';
import { quietRuntime } from './support/temporal';

jest.setTimeout(120_000);

const EXAMPLE = join(__dirname, '..', 'examples', 'temporal', 'workflows.mjs');
const PLAIN = join(__dirname, 'support', 'native', 'plain-workflow.ts');
/** Of code; what a workflow of one's own adds comes on top. */
const MOST_BYTES = 40_000;

const histories = committedHistories('runtime');
let example: string;
let plain: string;
beforeAll(async () => {
  quietRuntime();
  // The example takes Cairn as it is installed: from the package's exports.
  build();
  [example, plain] = await Promise.all([bundled(EXAMPLE), bundled(PLAIN)]);
});

const bundleOf = async ({ workflowType }: CommittedHistory) =>
  workflowType === 'newsletter' ? example : await runtimeBundle();

/** Shows that a green replay means something: the second activity is asked for under another name. */
function renamed({ history }: CommittedHistory): CommittedHistory['history'] {
  const events = structuredClone(history.events ?? []);
  const asked = events.filter((event) => event.activityTaskScheduledEventAttributes);
  const last = asked.at(-1)?.activityTaskScheduledEventAttributes;
  if (last?.activityType) last.activityType.name = 'somethingElse';
  return { events } as CommittedHistory['history'];
}

describe('a workflow of a runtime that began on an older version', () => {
  it('went each way that there is', () => {
    expect(histories.map(({ name }) => name)).toEqual([
      'runtime/newsletter.first',
      'runtime/newsletter.second',
      'runtime/reportsAll.as-children',
      'runtime/reportsByReference.by-reference',
      'runtime/reportsOne.by-the-outbox',
      'runtime/reportsOne.started-before',
    ]);
  });

  it.each(histories)('$name replays on this one', async (one) => {
    const workflowBundle = { codePath: await bundleOf(one) };
    await Worker.runReplayHistory({ workflowBundle }, one.history, 'replayed');
  });

  it.each(histories)('$name is refused where it asked for something else', async (one) => {
    const workflowBundle = { codePath: await bundleOf(one) };
    await expect(
      Worker.runReplayHistory({ workflowBundle }, renamed(one), 'replayed'),
    ).rejects.toThrow(/nondeterminism/i);
  });
});

describe('what Cairn adds to the bundle of a workflow', () => {
  const read = (file: string) => readFileSync(file, 'utf8');
  /** Without the source map that ends it. */
  const codeOf = (bundle: string) => bundle.slice(0, bundle.lastIndexOf('//# sourceMappingURL'));
  const modulesOf = (bundle: string) =>
    new Set([...bundle.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map(([, name]) => name ?? ''));

  it('is the sandboxed side of the adapter and lists of names, and nothing of a server', () => {
    const before = modulesOf(read(plain));
    const added = [...modulesOf(read(example))].filter((name) => !before.has(name));
    expect(added).toContain('./dist/adapters/temporal/workflow/memory.js');
    const foreign = added.filter(
      (name) => !/^\.\/(dist\/(adapters\/temporal\/workflow|contracts)|examples)\//.test(name),
    );
    expect(foreign).toEqual([]);
  });

  it('weighs little', () => {
    const added = codeOf(read(example)).length - codeOf(read(plain)).length;
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(MOST_BYTES);
  });
});
