import { readFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';

/** What a number was measured on; printed with every result. */
export function machine(): Record<string, unknown> {
  const temporal = JSON.parse(
    readFileSync(require.resolve('@temporalio/worker/package.json'), 'utf8'),
  ) as { version: string };
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    os: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    temporal_sdk: temporal.version,
  };
}

/** CPU time and memory of a process and all that it started, by Linux's process table. */
export interface Usage {
  cpu_ms: number;
  rss_mib: number;
}

/** A clock tick as the kernel counts them for programs: 100 a second on every Linux. */
const TICK_MS = 10;
const PAGE_BYTES = 4_096;

interface Row {
  pid: number;
  parent: number;
  ticks: number;
  pages: number;
}

/** Of `root` and its descendants; ended children count in their parent. */
export function usageOf(root: number, table: readonly Row[] = processTable()): Usage {
  const within = new Set([root]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const { pid, parent } of table) {
      if (within.has(parent) && !within.has(pid)) {
        within.add(pid);
        grew = true;
      }
    }
  }
  const rows = table.filter(({ pid }) => within.has(pid));
  return {
    cpu_ms: rows.reduce((sum, { ticks }) => sum + ticks, 0) * TICK_MS,
    rss_mib: Math.round((rows.reduce((sum, { pages }) => sum + pages, 0) * PAGE_BYTES) / 2 ** 20),
  };
}

function processTable(): Row[] {
  const { readdirSync } = require('node:fs') as typeof import('node:fs');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The command stands in parentheses and may itself hold spaces and parentheses.
        const fields = text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0, pages = 0] = [
          fields[1],
          fields[11],
          fields[12],
          fields[13],
          fields[14],
          fields[21],
        ];
        return [
          { pid: Number(name), parent, ticks: user + system + endedUser + endedSystem, pages },
        ];
      } catch {
        return [];
      }
    });
}

/** The value below which the share `p` of the samples lie. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
}

export function rounded(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
