import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettledEvent } from '../src/contracts/event';
import { markdownOf } from '../src/domain/skills/markdown-out';
import { describeWithData } from './support/data';
import { LearningLane } from './support/learning-lane';

/** The fleet's own fields, without the answer key; what encloses calls ends their task. */
function eventsOf(dir: string): SettledEvent[] {
  const lines = readFileSync(join(dir, 'fleet-dev.jsonl'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const { labels: _key, source: _source, trajectory: _run, ...event } = JSON.parse(line);
    return event.kind === 'chat' ? { ...event, final: true } : event;
  });
}

/** Whole tasks of some agents, in the order in which they settled. */
const AGENTS = /-gpt-4-0125-preview$|-gemini-1-5-pro-002$|^coding|^telecom|^airline-gpt-4\.1/;
const MOST = Number(process.env.CAIRN_TEST_EVENTS ?? 250);

describeWithData('skills that the tasks of a real fleet taught', (dir) => {
  test('have steps, a purpose that names what was asked, and tests that they pass', async () => {
    const lane = await LearningLane.start();
    try {
      const ws = await lane.workspace();
      const events = eventsOf(dir)
        .filter(({ agent }) => AGENTS.test(agent))
        .slice(0, MOST);
      for (const input of await lane.captures.record(ws, events))
        await lane.captures.fileAgain(input);
      await lane.rows(ws, "DELETE FROM outbox WHERE action <> 'start_learn'");
      const records = await lane.drain();
      const results = await lane.rows<{ result: Record<string, string | null> }>(
        ws,
        "SELECT result FROM runs WHERE type = 'learning'",
      );
      const tally: Record<string, number> = {};
      for (const { result } of results) {
        const key = `${result.learned} ${result.learned === 'trivial' ? result.reason : (result.reflected ?? '')}`;
        tally[key.trim()] = (tally[key.trim()] ?? 0) + 1;
      }
      const skills = await lane.skills(ws);
      if (process.env.CAIRN_SHOW !== undefined) {
        console.log(records.length, tally);
        for (const { name, document, test_result } of skills) {
          console.log(
            `# ${name} ${JSON.stringify({ ...test_result, results: [] })}\n${markdownOf(document)}`,
          );
        }
        const cards = await lane.rows<{ summary: string }>(
          ws,
          "SELECT c.summary FROM cards c WHERE c.summary LIKE '%Next time%'",
        );
        console.log(cards.map(({ summary }) => summary).join('\n'));
      }
      expect(skills.length).toBeGreaterThan(5);
      for (const { name, status, document, test_result } of skills) {
        expect(name).toMatch(/^[a-z0-9][a-z0-9-]{2,66}$/);
        expect(status).toBe('current');
        expect(test_result?.failed).toBe(0);
        expect(document.steps.length).toBeGreaterThan(0);
        expect(document.purpose).toMatch(/^[A-Z].*[.?!]”?$/);
        expect(markdownOf(document)).not.toMatch(/undefined|\[object|INFORMATION>/);
      }
    } finally {
      await lane.stop();
    }
  }, 500_000);
});
