/**
 * Takes a picture of every page of the console, and writes the list of them into docs/console.md.
 *
 *   npm run screenshots -- [--only cards,inbox]
 *
 * Starts a Cairn of its own in a folder of its own, fills it with one of everything, and opens each page
 * in the Chromium of this machine (CAIRN_CHROMIUM, or the one on PATH). The same page may differ from one
 * run to the next in times and ids, and in nothing else. Exit code 1 where a page had something to complain
 * of, or where a picture is larger than it may be.
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../test/support/console/chromium';
import { type ConsolePage, PAGES } from '../test/support/console/pages';
import { Visit } from '../test/support/console/visit';
import { type Showcased, startShowcase } from './support/showcased';

const DOCS = join(__dirname, '..', 'docs');
const PICTURES = join(DOCS, 'screenshots');
const MOST_BYTES = 200_000;
const DARK = ['home', 'cards', 'inbox'];
const NARROW = ['cards', 'inbox'];
const [BEGIN, END] = ['<!-- pictures -->', '<!-- /pictures -->'];

const { values: flags } = parseArgs({ options: { only: { type: 'string' } } });
const only = flags.only?.split(',') ?? null;

interface Picture {
  file: string;
  title: string;
  page: ConsolePage;
  scheme: 'light' | 'dark';
  width: number;
  height: number;
}

function pictures(): Picture[] {
  return PAGES.filter(({ name }) => only === null || only.includes(name)).flatMap((page) => {
    const { name, shows: title } = page;
    const wide = { page, title, width: 1280, height: 800 };
    const taken: Picture[] = [{ ...wide, file: `${name}.png`, scheme: 'light' }];
    if (DARK.includes(name)) {
      taken.push({ ...wide, file: `${name}-dark.png`, title: `${title}; dark`, scheme: 'dark' });
    }
    if (NARROW.includes(name)) {
      const narrow = { page, width: 390, height: 844, title: `${title}; on a phone` };
      taken.push({ ...narrow, file: `${name}-narrow.png`, scheme: 'light' });
    }
    return taken;
  });
}

/** @returns what was wrong with it */
async function take(
  browser: Browser,
  { workspace, planted }: Showcased,
  picture: Picture,
): Promise<string[]> {
  const { page, scheme, width, height, file } = picture;
  const { stack, ownerKey: key } = workspace;
  const visit = await Visit.open(browser, stack.url, { key, scheme, width, height });
  try {
    await visit.goto(page.address(planted, workspace));
    const path = join(PICTURES, file);
    await visit.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    const bytes = statSync(path).size;
    process.stdout.write(`${file.padEnd(24)}${String(Math.round(bytes / 1_000)).padStart(5)} kB\n`);
    const problems = visit.problems().map((problem) => `${file}: ${problem}`);
    return bytes > MOST_BYTES ? [...problems, `${file} has ${bytes} bytes`] : problems;
  } finally {
    await visit.close();
  }
}

/** The section between the two marks; at the end of the page where it has none yet. */
function writeSection(taken: readonly Picture[]): void {
  const path = join(DOCS, 'console.md');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '# The console\n';
  const section = [
    BEGIN,
    '## Pictures',
    '',
    'Of a small fleet of our own making; `npm run screenshots` takes them anew.',
    ...taken.flatMap(({ title, file, page }) => [
      '',
      `${title} (\`${page.route}\`)`,
      '',
      `![${title}](screenshots/${file})`,
    ]),
    END,
  ].join('\n');
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  const written =
    from >= 0 && to > from
      ? text.slice(0, from) + section + text.slice(to + END.length)
      : `${text.trimEnd()}\n\n${section}\n`;
  writeFileSync(path, written);
}

async function main(): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const browser = await launchChromium();
  const showcased = await startShowcase((line) => process.stdout.write(`${line}\n`));
  const problems: string[] = [];
  try {
    for (const picture of pictures()) {
      try {
        problems.push(...(await take(browser, showcased, picture)));
      } catch (error) {
        problems.push(`${picture.file}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (only === null) writeSection(pictures());
  } finally {
    await browser.close();
    await showcased.stop();
  }
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

main().catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
});
