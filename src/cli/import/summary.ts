import type { JsonObject } from '../../contracts/event';
import { thousands } from '../terminal';
import type { ImportCounts } from './counts';

export interface Ended {
  counts: ImportCounts;
  waited: boolean;
  unsettled: number;
  tookMs: number;
  /** Null for standard input. */
  file: string | null;
  /** What stopped it early. */
  stopped: string | null;
}

export function summaryJson(ended: Ended): JsonObject {
  const { counts } = ended;
  return {
    file: ended.file,
    lines: counts.lines,
    accepted: counts.accepted,
    duplicates: counts.duplicates,
    refused: counts.refused,
    refused_by_code: counts.refusedByCode,
    problems: counts.problems.map((problem) => ({ ...problem })),
    problems_left_out: counts.refused - counts.problems.length,
    waited: ended.waited,
    ...(ended.waited
      ? { dispositions: counts.dispositions, cards: counts.cards, unsettled: ended.unsettled }
      : {}),
    took_ms: ended.tookMs,
    ...(ended.stopped === null ? {} : { stopped: ended.stopped }),
  };
}

export function summaryText(ended: Ended): string {
  const { counts, tookMs } = ended;
  const seconds = Math.max(tookMs / 1_000, 0.001);
  const lines = [
    `${counted(counts.lines, 'line')} in ${seconds.toFixed(1)} s (${thousands(Math.round(counts.lines / seconds))} a second): ` +
      `${thousands(counts.accepted)} new, ${thousands(counts.duplicates)} known, ${thousands(counts.refused)} refused`,
  ];
  if (counts.refused > 0) lines.push(`  refused   ${listed(counts.refusedByCode)}`);
  if (ended.waited && counts.awaited > 0) {
    lines.push(`  came to   ${listed(counts.dispositions)}`);
    for (const [kind, signs] of Object.entries(counts.cards).sort()) {
      lines.push(`  cards     ${kind.padEnd(12)} ${listed(signs)}`);
    }
  }
  if (ended.unsettled > 0) {
    lines.push(
      `${counted(ended.unsettled, 'event')} not at rest yet: they are kept, and their cards are made as soon as Temporal and its workers answer (\`cairn doctor\` says which do not).`,
    );
  }
  if (ended.stopped !== null) {
    lines.push(
      `Stopped early: ${ended.stopped}`,
      'Run the same command again: it goes on where it stopped.',
    );
  }
  return lines.join('\n');
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${thousands(count)}`)
    .join(', ');
}

function counted(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}
