/**
 * The redaction bar: recall, look-alikes, idempotence and speed of the scanner, on the labelled lines
 * of `secrets-dev.jsonl` and the ordinary events of `fleet-dev.jsonl` in the folder CAIRN_TEST_DATA.
 * Prints one JSON document; the exit code is 1 where the bar does not hold.
 *
 * A labelled span counts as found when some of it is replaced: the labels of four projects disagree
 * about where a secret begins (some hold the whole address, some only the header's name). What is
 * replaced to the last character is counted beside it, as `whole`. Speed is CPU time of one call in
 * milliseconds, the collector's and the compiler's threads included.
 */
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Json } from '../src/contracts/event';
import { redactJson } from '../src/redaction/json';
import { findSpans, type RedactionOptions, redactText } from '../src/redaction/scanner';
import { workspaceTagger } from '../src/redaction/tags';
import { FUZZ_PIECES, hostileTexts } from './hostile-texts';

interface Line {
  id: string;
  text: string;
  spans: { start: number; end: number; type: string }[];
  label: 'positive' | 'negative';
  tier: string;
}

interface Recall {
  total: number;
  found: number;
  whole: number;
}

const OPTIONS: RedactionOptions = {
  tag: workspaceTagger('bench', 'bench'),
  keepContactData: false,
  names: [],
};

/** What the scanner promises to find; the other labels (names, streets, licence plates) it does not. */
const PROMISED =
  /^SECRET\/|^PII\/(?:CREDIT_CARD|EMAIL_ADDRESS|IBAN|IBAN_CODE|IP_ADDRESS|PHONE_NUMBER|TR_PHONE_NUMBER|US_SSN)$/;
/** Fixtures of detectors that mark what a cautious redactor may fairly hit: told, but no part of the bar. */
const APART = 'fixture_fp';

const BAR = {
  least_recall: 0.97,
  most_false_positives: 0.01,
  ordinary_p99_ms: 5,
  hostile_ms: 250,
} as const;

const ROUNDS = 3;
const FUZZ_TEXTS = 5000;

function readLines<T>(folder: string, file: string): T[] {
  return readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

/** UTF-16 offset of every code point, since the labels count code points. */
function unitOffsets(text: string): number[] {
  const offsets = [0];
  for (const char of text) offsets.push((offsets.at(-1) ?? 0) + char.length);
  return offsets;
}

/** Of every tier and type, `tier type` → counts. */
function measureRecall(lines: readonly Line[]): Map<string, Recall> {
  const rows = new Map<string, Recall>();
  for (const line of lines.filter(({ spans }) => spans.length > 0)) {
    const hits = findSpans(line.text, OPTIONS);
    const offsets = unitOffsets(line.text);
    for (const span of line.spans) {
      const start = offsets[span.start] ?? 0;
      const end = offsets[span.end] ?? line.text.length;
      const covered = hits.reduce(
        (sum, hit) => sum + Math.max(0, Math.min(end, hit.end) - Math.max(start, hit.start)),
        0,
      );
      const key = `${line.tier} ${span.type}`;
      const row = rows.get(key) ?? { total: 0, found: 0, whole: 0 };
      row.total += 1;
      if (covered > 0) row.found += 1;
      if (covered >= end - start) row.whole += 1;
      rows.set(key, row);
    }
  }
  return rows;
}

function byTier(rows: Map<string, Recall>): Record<string, Record<string, Recall>> {
  const tiers: Record<string, Record<string, Recall>> = {};
  for (const [key, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [tier = '', type = ''] = key.split(' ');
    tiers[tier] = { ...tiers[tier], [type]: row };
  }
  return tiers;
}

/** The promised types over all tiers but prose about names, where an e-mail is not labelled as one. */
function promisedTypes(rows: Map<string, Recall>): Record<string, Recall & { recall: number }> {
  const types: Record<string, Recall & { recall: number }> = {};
  for (const [key, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [tier = '', type = ''] = key.split(' ');
    if (!PROMISED.test(type) || tier === 'pii_free') continue;
    const sum = types[type] ?? { total: 0, found: 0, whole: 0, recall: 0 };
    const [total, found] = [sum.total + row.total, sum.found + row.found];
    types[type] = { total, found, whole: sum.whole + row.whole, recall: found / total };
  }
  return types;
}

/** Lines without a secret that are hit all the same, by tier. */
function measureFalsePositives(lines: readonly Line[]) {
  const tiers: Record<string, { lines: number; hit: number; ids: string[] }> = {};
  for (const line of lines.filter(({ label }) => label === 'negative')) {
    const tier = tiers[line.tier] ?? { lines: 0, hit: 0, ids: [] };
    tier.lines += 1;
    if (findSpans(line.text, OPTIONS).length > 0) {
      tier.hit += 1;
      tier.ids.push(line.id);
    }
    tiers[line.tier] = tier;
  }
  return tiers;
}

/** Texts of pieces that detectors look for, from a counter: the same ones in every run. */
function fuzzTexts(): string[] {
  let state = 11;
  const next = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
  return Array.from({ length: FUZZ_TEXTS }, () =>
    Array.from({ length: next(24) }, () =>
      next(4) === 0 ? String.fromCharCode(next(0x10000)) : FUZZ_PIECES[next(FUZZ_PIECES.length)],
    ).join(''),
  );
}

/** `redactText` hides what it cannot scan, so an error inside shows as that mark or in `findSpans`. */
function measureSafety(texts: readonly string[]) {
  let throws = 0;
  let refused = 0;
  let idempotenceViolations = 0;
  for (const text of texts) {
    try {
      findSpans(text, OPTIONS);
      const once = redactText(text, OPTIONS);
      refused += once.counts.failed ?? 0;
      if (redactText(once.value, OPTIONS).value !== once.value) idempotenceViolations += 1;
      const json = redactJson({ text } as Json, OPTIONS).value;
      const again = redactJson(json, OPTIONS).value;
      if (JSON.stringify(again) !== JSON.stringify(json)) idempotenceViolations += 1;
    } catch {
      throws += 1;
    }
  }
  return { texts: texts.length, throws, refused, idempotence_violations: idempotenceViolations };
}

function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1000;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Ordinary text: the fleet's inputs and outputs, joined and cut into pieces of 4 KB. */
function ordinaryTexts(folder: string): string[] {
  const events = readLines<{ output?: string; input?: string }>(folder, 'fleet-dev.jsonl');
  const all = events.map((event) => `${event.input ?? ''}\n${event.output ?? ''}`).join('\n');
  const pieces: string[] = [];
  for (let at = 0; at + 4096 <= all.length; at += 4096) pieces.push(all.slice(at, at + 4096));
  return pieces;
}

function measureOrdinary(texts: readonly string[]) {
  for (const text of texts.slice(0, 200)) redactText(text, OPTIONS);
  const times = texts.map((text) => cpuOf(() => redactText(text, OPTIONS))).sort((a, b) => a - b);
  return {
    texts: times.length,
    bytes: 4096,
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
    worst_ms: rounded(times.at(-1) ?? 0),
  };
}

/** The worst of some rounds of every text, in the order of the worst first. */
function measureHostile() {
  const rows = hostileTexts().map(({ name, text }) => {
    const times = Array.from({ length: ROUNDS }, () => cpuOf(() => redactText(text, OPTIONS)));
    return { name, worst_ms: rounded(Math.max(...times)) };
  });
  rows.sort((a, b) => b.worst_ms - a.worst_ms);
  return {
    texts: rows.length,
    bytes: 100 * 1024,
    rounds: ROUNDS,
    worst_ms: Object.fromEntries(rows.map(({ name, worst_ms }) => [name, worst_ms])),
  };
}

function measure(folder: string) {
  const lines = readLines<Line>(folder, 'secrets-dev.jsonl');
  const recall = measureRecall(lines);
  const types = promisedTypes(recall);
  const falsePositives = measureFalsePositives(lines);
  const ordinary = ordinaryTexts(folder);
  const safety = measureSafety([...lines.map(({ text }) => text), ...ordinary, ...fuzzTexts()]);
  const speed = { ordinary: measureOrdinary(ordinary), hostile: measureHostile() };
  const counted = Object.entries(falsePositives).filter(([tier]) => tier !== APART);
  const [hit, all] = counted.reduce(
    ([hits, total], [, tier]) => [hits + tier.hit, total + tier.lines],
    [0, 0],
  );
  const hostile = Object.values(speed.hostile.worst_ms);
  const bar = {
    recall_of_each_type_at_least_97_percent: Object.values(types).every(
      (type) => type.recall >= BAR.least_recall,
    ),
    every_look_alike_kept: falsePositives.lookalike?.hit === 0,
    false_positives_at_most_1_percent: all > 0 && hit / all <= BAR.most_false_positives,
    idempotent: safety.idempotence_violations === 0,
    no_throw: safety.throws === 0,
    cpu_p99_below_5_ms_per_4_kb: speed.ordinary.p99_ms < BAR.ordinary_p99_ms,
    any_hostile_100_kb_below_250_ms: hostile.every((ms) => ms < BAR.hostile_ms),
  };
  return {
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memory_gb: rounded(totalmem() / 2 ** 30),
    },
    node: process.version,
    bar,
    recall: { types, tiers: byTier(recall) },
    look_alikes_hit: falsePositives.lookalike?.ids ?? [],
    false_positives: { hit, lines: all, tiers: falsePositives },
    safety,
    speed,
  };
}

function main(): void {
  const folder = process.env.CAIRN_TEST_DATA;
  if (folder === undefined || folder === '') {
    process.stderr.write(
      'Set CAIRN_TEST_DATA to the folder with secrets-dev.jsonl and fleet-dev.jsonl.\n',
    );
    process.exitCode = 2;
    return;
  }
  const report = measure(folder);
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (Object.values(report.bar).includes(false)) process.exitCode = 1;
}

main();
