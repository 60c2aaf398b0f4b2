import type { Browser } from 'playwright-core';
import { findChromium, launchChromium } from './chromium';
import { type Stack, sharedStack } from './stack';
import { Visit, type VisitOptions } from './visit';
import { Workspace } from './workspace';

/** What a test of the console has at hand: a workspace of its file's own, and a browser. */
export class Console<Planted = undefined> {
  private readonly visits: Visit[] = [];

  constructor(
    readonly workspace: Workspace,
    readonly browser: Browser,
    /** What was planted before the first test. */
    readonly planted: Planted,
  ) {}

  /** A window of its own cookies, closed after the test. Default: signed in as the owner. */
  async visit(options: Partial<VisitOptions> = {}): Promise<Visit> {
    const { stack, ownerKey: key } = this.workspace;
    const visit = await Visit.open(this.browser, stack.url, { key, ...options });
    this.visits.push(visit);
    return visit;
  }

  /** A window of the owner's (or `options.key`'s) that stands on this page. */
  async open(path: string, options: Partial<VisitOptions> = {}): Promise<Visit> {
    const visit = await this.visit(options);
    await visit.goto(path);
    return visit;
  }

  async closeVisits(): Promise<void> {
    for (const visit of this.visits.splice(0)) await visit.close();
  }
}

/** The stack may have to be built and started first, and what is planted goes through every workflow. */
const BEFORE_MS = 360_000;

/**
 * `describe` for what is done in a browser, on the stack that `npm start` makes; skipped, with that
 * reason in the tally, where there is no Chromium.
 *
 * ```ts
 * describeConsole('the inbox', plantContradiction, (the) => {
 *   test('…', async () => {
 *     const { page } = await the().open('/inbox');
 *     await page.getByRole('button', { name: 'Approve' }).click();
 *   });
 * });
 * ```
 *
 * @param plant - what the workspace of this file begins with (seed/)
 * @param on - another stack than the one that all files share
 */
export function describeConsole<Planted>(
  name: string,
  plant: (workspace: Workspace) => Promise<Planted>,
  suite: (the: () => Console<Planted>) => void,
  on: () => Promise<Stack> = sharedStack,
): void {
  if (findChromium() === null) {
    describe.skip(`${name} [needs Chromium]`, () => suite(notThere));
    return;
  }
  describe(name, () => {
    let console: Console<Planted> | null = null;
    let browser: Browser | null = null;
    beforeAll(async () => {
      const workspace = await Workspace.make(await on());
      browser = await launchChromium();
      console = new Console(workspace, browser, await plant(workspace));
    }, BEFORE_MS);
    afterEach(() => console?.closeVisits());
    afterAll(() => browser?.close());
    suite(() => console ?? notThere());
  });
}

function notThere(): never {
  throw new Error('the console is there once the tests run: ask for it within one');
}

/** For a file that plants what each test needs. */
export async function nothing(): Promise<undefined> {
  return undefined;
}
