import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeConsole, nothing } from './support/console/console';
import { build } from './support/program';

jest.setTimeout(120_000);

/** Of compressed script. */
const AT_MOST = 300_000;
const BUILT = join(__dirname, '..', 'dist', 'console');

interface Chunk {
  file: string;
  imports?: string[];
}

/** What the build says a page needs before it can be drawn: the frame, its own chunk, and what both import. */
function neededFor(page: string): string[] {
  const manifest: Record<string, Chunk> = JSON.parse(
    readFileSync(join(BUILT, 'manifest.json'), 'utf8'),
  );
  const files = new Set<string>();
  const take = (name: string): void => {
    const chunk = manifest[name];
    if (chunk === undefined) throw new Error(`the build knows no ${name}`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const other of chunk.imports ?? []) take(other);
  };
  take('index.html');
  take(page);
  return [...files];
}

/** As it is sent to a browser that takes gzip and no better; small files have no compressed copy. */
function compressedBytes(file: string): number {
  const path = join(BUILT, file);
  const sizes = [`${path}.gz`, path].map((one) => statSync(one, { throwIfNoEntry: false })?.size);
  return sizes.find((size) => size !== undefined) ?? Number.POSITIVE_INFINITY;
}

describe('the first load', () => {
  beforeAll(() => build());

  test.each([
    ['the home page', 'src/pages/home/home-page.tsx'],
    ['the cards', 'src/pages/cards/cards-page.tsx'],
    ['the inbox', 'src/pages/inbox/inbox-page.tsx'],
  ])('of %s needs less than 300 KB of script', (_name, page) => {
    const sizes = neededFor(page).map(compressedBytes);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(AT_MOST);
  });
});

describeConsole('a browser that comes for the first time', nothing, (the) => {
  test.each(['/', '/cards'])('is sent less than 300 KB of script for %s', async (path) => {
    const visit = await the().visit();
    const sizes: Promise<number>[] = [];
    visit.page.on('requestfinished', (request) => {
      if (request.resourceType() !== 'script') return;
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
    });
    await visit.goto(path);
    const sent = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(sent).toBeGreaterThan(50_000);
    expect(sent).toBeLessThan(AT_MOST);
  });
});
