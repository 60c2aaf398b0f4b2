/**
 * How well planted instructions are recognised: precision and recall of the flag `instruction_like` over
 * the events of `fleet-dev.jsonl` in the folder CAIRN_TEST_DATA (its labels are the answer key), and over
 * `samples/instructions.json`, texts of our own in other styles than those. Prints one JSON document;
 * with `--missed` the samples that went wrong too.
 *
 * Whoever wrote the samples wrote the rules: the second set says what must not get worse, and not what
 * an attacker's next text will meet. On texts of strangers the recall is lower by far.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SettledEvent } from '../src/contracts/event';
import { isInstructionLike } from '../src/domain/distill/instruction-like';

export interface Counts {
  planted: number;
  found: number;
  benign: number;
  false_alarms: number;
  /** Of what was flagged, planted; null where nothing was flagged. */
  precision: number | null;
  recall: number | null;
}

interface Judged {
  planted: boolean;
  flagged: boolean;
}

export interface Sample {
  style: string;
  text: string;
  where?: 'result' | 'request';
}

export function countsOf(judged: readonly Judged[]): Counts {
  const planted = judged.filter((one) => one.planted);
  const benign = judged.filter((one) => !one.planted);
  const found = planted.filter((one) => one.flagged).length;
  const false_alarms = benign.filter((one) => one.flagged).length;
  return {
    planted: planted.length,
    found,
    benign: benign.length,
    false_alarms,
    precision: share(found, found + false_alarms),
    recall: share(found, planted.length),
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((1000 * part) / whole) / 1000;
}

/** A page or a result that a tool brought, or what a customer said. */
export function eventOf(sample: Sample): SettledEvent {
  const event = {
    event_id: 'sample',
    agent: 'reader',
    outcome: 'worked' as const,
    occurred_at: '2024-05-15T10:00:00Z',
  };
  return sample.where === 'request'
    ? { ...event, kind: 'chat', messages: [{ role: 'user', content: sample.text }] }
    : { ...event, kind: 'service_call', service: 'web', operation: 'read', output: sample.text };
}

export function readSamples(): { planted: Sample[]; benign: Sample[] } {
  return JSON.parse(readFileSync(join(__dirname, 'samples', 'instructions.json'), 'utf8'));
}

export function judgeSamples(): (Judged & Sample)[] {
  const { planted, benign } = readSamples();
  const judge = (planted: boolean) => (sample: Sample) => ({
    ...sample,
    planted,
    flagged: isInstructionLike(eventOf(sample)),
  });
  return [...planted.map(judge(true)), ...benign.map(judge(false))];
}

/** Of the events that hold any text; the labels go no further than the score. */
export function judgeFleet(folder: string): (Judged & { event_id: string })[] {
  return readFileSync(join(folder, 'fleet-dev.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SettledEvent & { labels?: { poisoned?: boolean } })
    .filter((event) => event.input !== undefined || event.output !== undefined)
    .map(({ labels, ...event }) => ({
      event_id: event.event_id,
      planted: labels?.poisoned === true,
      flagged: isInstructionLike(event),
    }));
}

function byStyle(judged: readonly (Judged & Sample)[]): Record<string, string> {
  const styles = [
    ...new Set(judged.map((one) => `${one.planted ? 'planted' : 'benign'} ${one.style}`)),
  ];
  return Object.fromEntries(
    styles.map((style) => {
      const of = judged.filter(
        (one) => `${one.planted ? 'planted' : 'benign'} ${one.style}` === style,
      );
      return [style, `${of.filter((one) => one.flagged).length} of ${of.length} flagged`];
    }),
  );
}

function main(): void {
  const folder = process.env.CAIRN_TEST_DATA;
  const samples = judgeSamples();
  const report = {
    fleet: folder === undefined ? 'CAIRN_TEST_DATA is not set' : countsOf(judgeFleet(folder)),
    samples: {
      all: countsOf(samples),
      by_style: byStyle(samples),
    },
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (!process.argv.includes('--missed')) return;
  for (const one of samples.filter((sample) => sample.flagged !== sample.planted)) {
    process.stderr.write(`${one.planted ? 'missed' : 'false alarm'} ${one.style}: ${one.text}\n`);
  }
}

if (require.main === module) main();
