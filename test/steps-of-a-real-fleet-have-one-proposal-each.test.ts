import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventIn } from '../src/cli/import/event-line';
import type { SettledEvent } from '../src/contracts/event';
import { startApi, type TestApi } from './support/api';
import { describeWithData } from './support/data';
import { Filing, TestClock } from './support/filing';

jest.setTimeout(180_000);

const DAY_MS = 86_400_000;
const WINDOW_DAYS = 30;

/** What failed or was blocked, as the import reads it; nothing else strikes. */
function failures(dir: string): SettledEvent[] {
  const omit = new Set(['labels']);
  return readFileSync(join(dir, 'fleet-dev.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const read = eventIn(line, omit);
      return 'code' in read ? [] : [read.event];
    })
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'blocked');
}

/** Counted here once more, and in another way: of three that follow each other the last is within the window. */
function struckOut(events: readonly SettledEvent[]): Map<string, number> {
  const times = new Map<string, number[]>();
  for (const { team, service, operation, occurred_at } of events) {
    if (team === undefined || service === undefined || operation === undefined) continue;
    const step = `${team}/${service}/${operation}`;
    times.set(step, [...(times.get(step) ?? []), Date.parse(occurred_at)]);
  }
  const out = new Map<string, number>();
  for (const [step, all] of times) {
    const sorted = all.toSorted((a, b) => a - b);
    const third = sorted.findIndex(
      (at, n) => n >= 2 && at - (sorted[n - 2] ?? 0) < WINDOW_DAYS * DAY_MS,
    );
    if (third >= 0) out.set(step, sorted.length);
  }
  return out;
}

describeWithData('a fleet that is imported whole', (dir) => {
  let api: TestApi;

  beforeAll(async () => {
    const clock = new TestClock('2026-06-30T12:00:00.000Z');
    api = await startApi({ clock: clock.now });
    const filing = new Filing({ api, clock });
    for (const event of failures(dir)) {
      clock.advance(1_000);
      await filing.file(event);
    }
  });
  afterAll(() => api.close());

  it('has exactly one proposal for every step that failed three times, and none for another', async () => {
    const expected = struckOut(failures(dir));
    expect(expected.size).toBeGreaterThan(10);
    const proposed: string[] = [];
    let cursor = '';
    do {
      const { body } = await api.call(
        'GET',
        `/v1/proposals?type=config_fix&limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      for (const { change, evidence, status } of body.items) {
        proposed.push(`${change.team}/${change.workflow}/${change.step}`);
        expect(evidence.length).toBeGreaterThanOrEqual(3);
        expect(status).toBe('open');
      }
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
    expect(proposed.toSorted()).toEqual([...expected.keys()].toSorted());
  });

  it('says of each what failed, how, and what to do about it', async () => {
    const { body } = await api.call('GET', '/v1/proposals?type=config_fix&limit=200');
    for (const { title, summary, change } of body.items) {
      expect(title).toContain(`${change.step} of ${change.workflow} failed 3 times`);
      expect(summary).toContain(change.fix);
      expect(summary.length).toBeLessThan(700);
    }
  });
});
