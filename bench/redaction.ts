/**
 * Recall, false positives and speed of the redaction scanner, on the labelled lines of
 * `secrets-dev.jsonl` and the ordinary events of `fleet-dev.jsonl` in the folder CAIRN_TEST_DATA.
 *
 * A labelled span counts as caught when some of it is replaced: the labels of four projects disagree
 * about where a secret begins (some hold the whole address, some only the header's name). The share
 * that is replaced as a whole is printed beside it. Speed is CPU time of one call,
 * in milliseconds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSpans, type RedactionOptions, redactText } from '../src/redaction/scanner';
import { workspaceTagger } from '../src/redaction/tags';

interface Line {
  text: string;
  spans: { start: number; end: number; type: string }[];
  label: 'positive' | 'negative';
  tier: string;
}

interface Row {
  tier: string;
  type: string;
  spans: number;
  caught: number;
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

function measureQuality(lines: readonly Line[]): {
  rows: Row[];
  hits: Record<string, [number, number]>;
} {
  const rows = new Map<string, Row>();
  const hits: Record<string, [number, number]> = {};
  for (const line of lines) {
    const found = findSpans(line.text, OPTIONS);
    if (line.label === 'negative') {
      const [lineHits, all] = hits[line.tier] ?? [0, 0];
      hits[line.tier] = [lineHits + (found.length > 0 ? 1 : 0), all + 1];
    }
    const offsets = unitOffsets(line.text);
    for (const span of line.spans) {
      const start = offsets[span.start] ?? 0;
      const end = offsets[span.end] ?? line.text.length;
      const covered = found.reduce(
        (sum, hit) => sum + Math.max(0, Math.min(end, hit.end) - Math.max(start, hit.start)),
        0,
      );
      const key = `${line.tier} ${span.type}`;
      const row = rows.get(key) ?? {
        tier: line.tier,
        type: span.type,
        spans: 0,
        caught: 0,
        whole: 0,
      };
      row.spans += 1;
      if (covered > 0) row.caught += 1;
      if (covered >= end - start) row.whole += 1;
      rows.set(key, row);
    }
  }
  return {
    rows: [...rows.values()].sort((a, b) => (a.tier + a.type < b.tier + b.type ? -1 : 1)),
    hits,
  };
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** The best of three, since the process's CPU time holds its collector's and compiler's threads too. */
function cpuOf(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round += 1) {
    const before = process.cpuUsage();
    run();
    const used = process.cpuUsage(before);
    best = Math.min(best, (used.user + used.system) / 1000);
  }
  return best;
}

/** Ordinary text: the fleet's outputs, joined and cut into pieces of 4 KB. */
function ordinaryTexts(folder: string): string[] {
  const events = readLines<{ output?: string; input?: string }>(folder, 'fleet-dev.jsonl');
  const all = events.map((event) => `${event.input ?? ''}\n${event.output ?? ''}`).join('\n');
  const pieces: string[] = [];
  for (let at = 0; at + 4096 <= all.length; at += 4096) pieces.push(all.slice(at, at + 4096));
  return pieces;
}

/** What a detector looks for, repeated: the texts that make a careless pattern slow. */
// biome-ignore format: a list of short units
const UNITS = [
  'a', '1', ' ', '@', '\\', '%41', '-', '=', '.', ':', '+', '/', '"', '{', '[', '&lt;', '\u200b',
  '１', '😀', '\n', 'a@', 'a@b.', 'a@b.co ', '@a.b', 'a.b@', '1 ', '1-', '1.', '12:', '1:2:', '::',
  'a:', ':a@', '://', 'a://b:c@', 'http://a', '+1', '+1 2', '00 1', '+90 532 123 45 6',
  '(415) 555-267', '0532 123 45 67 ', '4111 1111 1111 1111 ', '41111111', 'GB29', 'GB29 NWBK ',
  'GB29NWBK60161331926818 ', '1.1.1.', '8.8.8.8 ', '1.2.3.4.', 'a:b:c:', '2001:db8::1 ', '123-45-',
  '123-45-6789 ', 'ssn 1 ', 'card 4', 'iban GB', 'phone 1', 'call me at ', 'tel 12 34 5 ', 'pass',
  'password', 'password=', 'password: ', 'password="', 'password is ', 'secret key ', 'token=a1',
  '"token":', 'api_key ', 'key', 'a_key=', 'aKey', 'key key ', '== password', '"x" == password',
  'auth', 'Authorization: ', 'Bearer ', 'Basic ', 'Cookie: a=b; ', 'sk-', 'sk-a', 'sk-sk_', 'ghp_',
  'eyJ', 'eyJ.', 'eyJ_', 'eyJa.eyJ', 'xoxb-', 'xoxb-1', 's.', 'AKIA', 'SG.', 'AAAA', 'hf_', 'pat.',
  '_live_', 'a_key_b', '5 K', '|', '-us', ':A', 'Q~', '1:A', '.atlasv1.',
  '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'PRIVATE KEY-----\n',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n', 'BEGIN  PRIVATE KEY', 'curl ', 'curl -u a:',
  ' --password a', ' -p', 'mysql -p', 'kind: Secret\n', 'kind: Secret\ndata:\n a: ', 'Signature=',
  'AWS4-HMAC-SHA256 Credential=', 'seed phrase: ', 'seed words ', 'wallet ', `${'f'.repeat(63)} `,
  `0x${'a1'.repeat(32)} wallet `, 'a [at] b ', 'a [at] b [dot] ', '[EMAIL_', '[REDACTED_',
  '[REDACTED_TOKEN]', 'word ', 'Kerfuffle ', 'é', 'ab\u0301', '中', '(', '((((1', '<a b=', 'value=',
  '" value="', 'jdbc:oracle:thin:a/',
] as const;

function hostileTexts(): { name: string; text: string }[] {
  const size = 100 * 1024;
  return UNITS.map((unit) => ({
    name: JSON.stringify(unit).slice(0, 40),
    text: unit.repeat(Math.ceil(size / unit.length)).slice(0, size),
  }));
}

function main(): void {
  const folder = process.env.CAIRN_TEST_DATA;
  if (folder === undefined) {
    process.stderr.write(
      'CAIRN_TEST_DATA names no folder with secrets-dev.jsonl and fleet-dev.jsonl\n',
    );
    process.exitCode = 1;
    return;
  }
  const { rows, hits } = measureQuality(readLines<Line>(folder, 'secrets-dev.jsonl'));
  const texts = ordinaryTexts(folder);
  for (const text of texts.slice(0, 100)) redactText(text, OPTIONS);
  const ordinary = texts
    .map((text) => cpuOf(() => redactText(text, OPTIONS)))
    .sort((a, b) => a - b);
  const hostile = hostileTexts()
    .map(({ name, text }) => ({ name, ms: cpuOf(() => redactText(text, OPTIONS)) }))
    .sort((a, b) => b.ms - a.ms);
  const times = hostile.map(({ ms }) => ms).sort((a, b) => a - b);
  const speed = {
    ordinary_4kb: {
      texts: ordinary.length,
      p50_ms: quantile(ordinary, 0.5),
      p99_ms: quantile(ordinary, 0.99),
    },
    hostile_100kb: {
      texts: times.length,
      p50_ms: quantile(times, 0.5),
      p99_ms: quantile(times, 0.99),
      worst: hostile.slice(0, 8),
    },
  };
  const promised = rows.filter((row) => PROMISED.test(row.type) && row.tier !== 'pii_free');
  const sum = (pick: (row: Row) => number) => promised.reduce((total, row) => total + pick(row), 0);
  const recall = {
    spans: sum((r) => r.spans),
    caught: sum((r) => r.caught),
    whole: sum((r) => r.whole),
  };
  process.stdout.write(`${JSON.stringify({ recall, rows, falsePositives: hits, speed })}\n\n`);
  for (const row of rows) {
    const mark = PROMISED.test(row.type) ? ' ' : '-';
    const share = ((100 * row.caught) / row.spans).toFixed(1);
    process.stdout.write(
      `${mark} ${row.tier.padEnd(15)} ${row.type.padEnd(60)} ${String(row.spans).padStart(5)} ${share.padStart(6)} %\n`,
    );
  }
  process.stdout.write(
    `\npromised types: ${recall.caught}/${recall.spans} caught, ${recall.whole} as a whole\n`,
  );
  for (const [tier, [lines, all]] of Object.entries(hits)) {
    process.stdout.write(`false positives, ${tier}: ${lines}/${all}\n`);
  }
  process.stdout.write(
    `ordinary 4 KB: p50 ${speed.ordinary_4kb.p50_ms.toFixed(2)} ms, p99 ${speed.ordinary_4kb.p99_ms.toFixed(2)} ms\n`,
  );
  for (const { name, ms } of speed.hostile_100kb.worst) {
    process.stdout.write(`hostile 100 KB: ${ms.toFixed(0).padStart(5)} ms ${name}\n`);
  }
}

main();
