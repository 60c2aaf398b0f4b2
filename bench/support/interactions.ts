import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Visit } from '../../test/support/console/visit';

const IN_PAGE = join(__dirname, 'in-page.js');

export const INTERACTIONS = ['search', 'facet', 'scroll', 'open', 'back'] as const;
export type Interaction = (typeof INTERACTIONS)[number];

/** A window on the list of cards that measures itself. */
export async function openList(browser: Browser, url: string, key: string): Promise<Visit> {
  const visit = await Visit.open(browser, url, { key });
  await visit.context.addInitScript({ path: IN_PAGE });
  await visit.goto('/cards');
  return visit;
}

/** Each interaction once, by mouse and keys as a person has them. @returns milliseconds to the paint */
export async function measured(visit: Visit, word: string): Promise<[Interaction, number][]> {
  const { page } = visit;
  const table = page.getByRole('table', { name: 'cards' });
  const took: [Interaction, number][] = [];
  const time = async (name: Interaction, act: () => Promise<unknown>) => {
    await page.evaluate(`bench.expect('${name}')`);
    await act();
    took.push([name, (await page.evaluate('bench.ended()')) as number]);
    await visit.loaded();
  };
  // A search of whole words: the pause that the page leaves while one types is part of it.
  await page.getByRole('searchbox', { name: 'Search in the cards' }).focus();
  await time('search', () => page.keyboard.insertText(word));
  const facet = page.getByRole('group', { name: 'Kind' }).getByRole('button').first();
  await time('facet', () => facet.click());

  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: 'Cards' })
    .click();
  await visit.loaded();
  await table.hover();
  await time('scroll', () => page.mouse.wheel(0, 700));
  const row = table.locator('[data-index]').filter({ visible: true }).nth(10);
  await time('open', () => row.getByRole('cell').nth(1).click());
  await time('back', () => page.evaluate('bench.back()'));
  return took;
}

/** Of clicks and keys, from the input to the next frame: what browsers call interaction to next paint. */
export async function inputDelays(visit: Visit): Promise<number[]> {
  return (await visit.page.evaluate('bench.durations()')) as number[];
}

/** Bytes of script on the wire for who comes for the first time, and milliseconds until all is shown. */
export async function firstLoad(browser: Browser, url: string, key: string, path: string) {
  const visit = await Visit.open(browser, url, { key });
  const sizes: Promise<number>[] = [];
  visit.page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await visit.goto(path);
  const paint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null`;
  const firstPaint = (await visit.page.evaluate(paint)) as number | null;
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  await visit.close();
  return {
    script_bytes: bytes,
    first_paint_ms: firstPaint === null ? null : Math.round(firstPaint),
  };
}

/** Words of five letters and more that these texts have, the most frequent first. */
export function wordsOf(texts: readonly string[]): string[] {
  const seen = new Map<string, number>();
  for (const text of texts) {
    for (const word of new Set(text.toLowerCase().match(/\b[a-z]{5,}\b/g) ?? [])) {
      seen.set(word, (seen.get(word) ?? 0) + 1);
    }
  }
  return [...seen].sort(([a, n], [b, m]) => m - n || a.localeCompare(b)).map(([word]) => word);
}
