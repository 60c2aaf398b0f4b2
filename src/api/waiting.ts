import { setTimeout as sleep } from 'node:timers/promises';

/** A capture takes tens of milliseconds: looking more often would only load the database. */
const FIRST_LOOK_MS = 25;
const LAST_LOOK_MS = 500;

/** Looks again until `done`, or until the time is up; answers with what was seen last. */
export async function waitUntil<T>(
  look: () => Promise<T>,
  done: (seen: T) => boolean,
  waitMs: number,
): Promise<T> {
  const until = Date.now() + waitMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(LAST_LOOK_MS, pause * 2)) {
    const seen = await look();
    const left = until - Date.now();
    if (done(seen) || left <= 0) return seen;
    await sleep(Math.min(pause, left));
  }
}
