import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CardDraft } from '../src/contracts/card';
import type { SettledEvent } from '../src/contracts/event';
import { distill } from '../src/domain/distill/distill';
import { describeWithData } from './support/data';

interface Line {
  event: SettledEvent;
  labels: { poisoned?: boolean; injected_text?: string };
}

/** Real settled events and their answer key; kept out of the package. */
function linesOf(folder: string): Line[] {
  return readFileSync(join(folder, 'fleet-dev.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { labels, source: _source, trajectory: _trajectory, ...event } = JSON.parse(line);
      return { event, labels };
    });
}

describeWithData("the fleet's events", (folder) => {
  const cards: { line: Line; draft: CardDraft }[] = [];
  beforeAll(() => {
    for (const line of linesOf(folder)) cards.push({ line, draft: distill(line.event, []) });
  });

  test('give cards of 60 to 350 characters without a dump', () => {
    for (const { draft } of cards) {
      expect(draft.summary.length).toBeGreaterThanOrEqual(60);
      expect(draft.summary.length).toBeLessThanOrEqual(350);
      expect(draft.summary).not.toMatch(/[{}[<>\n]|\.\.\.cut|the event/i);
    }
  });

  test('carry no fragment of what was planted', () => {
    for (const { line, draft } of cards) {
      const planted = line.labels.injected_text;
      if (planted === undefined) continue;
      const fragments = planted
        .replace(/\s+/g, ' ')
        .split(/[.:]/)
        .map((part) => part.trim().toLowerCase().slice(0, 30))
        .filter((part) => part.length > 15);
      for (const fragment of fragments) expect(draft.summary.toLowerCase()).not.toContain(fragment);
    }
  });

  test('are flagged where something was planted, and rarely elsewhere', () => {
    const poisoned = cards.filter(({ line }) => line.labels.poisoned === true);
    const clean = cards.filter(({ line }) => line.labels.poisoned !== true);
    const flagged = (list: typeof cards) =>
      list.filter(({ draft }) => draft.flags.length > 0).length;
    expect(flagged(poisoned) / poisoned.length).toBeGreaterThanOrEqual(0.99);
    // Among these are calls that pass a planted text on, which the key does not name.
    expect(flagged(clean) / clean.length).toBeLessThan(0.01);
  });

  test('have a family wherever a call failed', () => {
    for (const { line, draft } of cards) {
      if (draft.sign !== 'failed' || line.event.kind === 'chat') continue;
      expect(draft.error_family).not.toBeNull();
    }
  });
});
