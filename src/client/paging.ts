import type { Page } from '../contracts/run';

/** Of every list. */
export interface PageOptions {
  /** 1–500, 50 by default. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

/** Every item of a list, page by page, as they are asked for. */
export async function* itemsOf<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined;
  do {
    const { items, next_cursor } = await page(cursor);
    yield* items;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}
