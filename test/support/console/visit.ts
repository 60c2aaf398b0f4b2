import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { until } from '../until';

export interface VisitOptions {
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
  /** Whose session it is; null: nobody is signed in. */
  key: string | null;
  /** IANA name. Default: UTC. */
  timezone?: string;
}

export interface Violation {
  id: string;
  impact: string;
  /** Selector and HTML of each place, three at most. */
  places: string[];
}

/** Without a change on the wire or the screen for so long, a page counts as loaded. */
const QUIET_MS = 250;
/** Of nothing but Chromium's: a page that goes on interrupts what it asked for. */
const INTERRUPTED = 'net::ERR_ABORTED';

/**
 * A browser's window on the console, which keeps what a person would never see: errors in the console of
 * the browser (a broken content policy is one), exceptions, requests that failed and answers of 400 and
 * above.
 */
export class Visit {
  private readonly found: string[] = [];
  private allowed: RegExp[] = [];
  private readonly running = new Set<Request>();
  private quietSince = Date.now();

  private constructor(
    readonly url: string,
    readonly context: BrowserContext,
    readonly page: Page,
  ) {
    this.watch();
  }

  static async open(browser: Browser, url: string, options: VisitOptions): Promise<Visit> {
    const { width = 1280, height = 800, scheme = 'light', key, timezone = 'UTC' } = options;
    const context = await browser.newContext({
      baseURL: url,
      viewport: { width, height },
      colorScheme: scheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: timezone,
    });
    if (key !== null) {
      const answer = await context.request.post('/v1/session', { data: { key } });
      if (!answer.ok()) throw new Error(`no session: ${answer.status()} ${await answer.text()}`);
    }
    return new Visit(url, context, await context.newPage());
  }

  /** Goes to an address and waits until the page is there with all that it asked for. */
  async goto(path: string): Promise<void> {
    await this.page.goto(path, { waitUntil: 'load' });
    await this.loaded();
  }

  /**
   * Waits until there is a heading, or word of why there is none, and nothing is asked for (the stream of
   * changes aside) or shown as loading.
   */
  async loaded(): Promise<void> {
    const busy = this.page.locator(
      '[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root',
    );
    const shown = this.page.locator('h1, [role=alert]');
    await until(
      'the page is loaded',
      async () =>
        this.running.size === 0 &&
        Date.now() - this.quietSince >= QUIET_MS &&
        (await shown.filter({ visible: true }).count()) > 0 &&
        (await busy.filter({ visible: true }).count()) === 0,
      {
        pause: 50,
        within: 30_000,
        otherwise: () => ({
          asked: [...this.running].map((request) => request.url()),
          found: this.found,
        }),
      },
    );
  }

  /** By the door, as a person does it. */
  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('Your key').fill(key);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  async signOut(): Promise<void> {
    await this.page.getByRole('button', { name: /^Signed in as/ }).click();
    await this.page.getByRole('menuitem', { name: 'Sign out' }).click();
  }

  /** The page's heading, once it is there. */
  async heading(): Promise<string> {
    const [first, ...more] = await this.page.getByRole('heading', { level: 1 }).all();
    if (first === undefined) throw new Error(`${this.page.url()} has no heading`);
    if (more.length > 0)
      throw new Error(`${this.page.url()} has ${more.length + 1} headings of level 1`);
    return ((await first.textContent()) ?? '').trim();
  }

  /** Expects such entries of `problems` from here on: a refusal that a test provokes. */
  allow(...patterns: RegExp[]): void {
    this.allowed = patterns;
  }

  /** What went wrong since it was asked last, of what is not allowed. */
  problems(): string[] {
    return this.found.splice(0).filter((one) => !this.allowed.some((pattern) => pattern.test(one)));
  }

  /** Serious and critical violations of the page as it stands. */
  async axe(): Promise<Violation[]> {
    await this.page.evaluate(sourceOfAxe());
    const violations = (await this.page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )) as { id: string; impact: string; nodes: { target: string[]; html: string }[] }[];
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({
        id,
        impact,
        places: nodes
          .slice(0, 3)
          .map(({ target, html }) => `${target.join(' ')}: ${html.slice(0, 200)}`),
      }));
  }

  /** How much wider than the window the page is: 0 where nobody has to scroll sideways. */
  async overflow(): Promise<number> {
    const width = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    return (await this.page.evaluate(width)) as number;
  }

  async close(): Promise<void> {
    await this.context.close();
  }

  private watch(): void {
    const { page } = this;
    page.on('console', (message) => {
      // Said of every answer of 400 and above, which `response` tells with its path.
      const isOfAnswer = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfAnswer) this.found.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.found.push(`exception: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      if (!isStream(request)) this.running.add(request);
      this.quietSince = Date.now();
    });
    page.on('requestfinished', (request) => this.over(request));
    page.on('requestfailed', (request) => {
      this.over(request);
      const why = request.failure()?.errorText ?? 'failed';
      if (why !== INTERRUPTED) this.found.push(`request: ${asked(request)} ${why}`);
    });
    page.on('response', (response) => {
      if (response.status() < 400) return;
      this.found.push(`answer: ${asked(response.request())} ${response.status()}`);
    });
  }

  private over(request: Request): void {
    this.running.delete(request);
    this.quietSince = Date.now();
  }
}

function isStream(request: Request): boolean {
  return new URL(request.url()).pathname === '/v1/stream';
}

function asked(request: Request): string {
  const { pathname, search } = new URL(request.url());
  return `${request.method()} ${pathname}${search}`;
}

let axeSource: string | null = null;

function sourceOfAxe(): string {
  axeSource ??= readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');
  return axeSource;
}
