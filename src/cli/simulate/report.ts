import { arch, cpus, platform, release, totalmem } from 'node:os';
import { packageVersion } from '../../telemetry/version';
import { table, thousands } from '../terminal';
import { MEMORY_TOKENS, type WorldParameters } from './world/frozen';
import { type Interval, intervalOf } from './world/interval';
import type { Measures } from './world/measures';

export const ARMS = ['none', 'pile', 'cairn'] as const;
export type ArmName = (typeof ARMS)[number];

/** What is reported of an arm: one number a seed. */
const VALUES = {
  repeated_mistake_rate: (one: Measures) => one.repeatedMistakeRate,
  task_success: (one: Measures) => one.taskSuccess,
  first_try_success: (one: Measures) => one.firstTrySuccess,
  prompt_tokens: (one: Measures) => one.promptTokens,
  tokens_a_call: (one: Measures) => one.promptTokens / Math.max(1, one.plannedCalls),
  contradictions_shown: (one: Measures) => one.contradictionsShown,
} as const;
type ValueName = keyof typeof VALUES;

/** One arm through the world of one seed. */
export interface Ran {
  arm: ArmName;
  seed: number;
  seconds: number;
  measures: Measures;
  /** What the arm tells of itself, and why mistakes were repeated where that was looked for. */
  notes: Record<string, unknown>;
}

export interface Report {
  seeds: number[];
  parameters: WorldParameters;
  memory_tokens: number;
  passes: 'on' | 'off';
  grants: 'on' | 'off';
  machine: Record<string, unknown>;
  versions: Record<string, string>;
  arms: Partial<Record<ArmName, { seconds: number } & Record<ValueName, Interval>>>;
  /** Repeated-mistake rates divided, seed by seed. */
  ratios: Record<string, Interval>;
  runs: Ran[];
}

export function reportOf(
  runs: readonly Ran[],
  told: Pick<Report, 'parameters' | 'passes' | 'grants'> & { embedder: string },
): Report {
  const { parameters, passes, grants, embedder } = told;
  const arms: Report['arms'] = {};
  for (const arm of ARMS) {
    const own = runs.filter((one) => one.arm === arm);
    if (own.length === 0) continue;
    const values = Object.entries(VALUES).map(([name, of]) => [
      name,
      intervalOf(own.map(({ measures }) => of(measures))),
    ]);
    const seconds = Math.round(own.reduce((sum, one) => sum + one.seconds, 0));
    arms[arm] = { seconds, ...(Object.fromEntries(values) as Record<ValueName, Interval>) };
  }
  return {
    seeds: [...new Set(runs.map(({ seed }) => seed))],
    parameters,
    memory_tokens: MEMORY_TOKENS,
    passes,
    grants,
    machine: machine(),
    versions: { cairn: packageVersion(), node: process.version, embedder },
    arms,
    ratios: ratiosOf(runs),
    runs: [...runs],
  };
}

function ratiosOf(runs: readonly Ran[]): Record<string, Interval> {
  const rate = (arm: ArmName, seed: number) =>
    runs.find((one) => one.arm === arm && one.seed === seed)?.measures.repeatedMistakeRate;
  const ratios: Record<string, Interval> = {};
  for (const [arm, other] of [
    ['cairn', 'pile'],
    ['cairn', 'none'],
    ['pile', 'none'],
  ] as const) {
    const values = [...new Set(runs.map(({ seed }) => seed))].flatMap((seed) => {
      const [above, below] = [rate(arm, seed), rate(other, seed)];
      return above === undefined || below === undefined || below === 0 ? [] : [above / below];
    });
    if (values.length > 0) ratios[`${arm}/${other}`] = intervalOf(values);
  }
  return ratios;
}

/** What a number was measured on. */
function machine(): Record<string, unknown> {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    os: `${platform()} ${release()} ${arch()}`,
  };
}

export function reportText(report: Report): string {
  const rows = ARMS.flatMap((name) => {
    const arm = report.arms[name];
    if (arm === undefined) return [];
    return [
      [
        name,
        percent(arm.repeated_mistake_rate),
        percent(arm.task_success),
        percent(arm.first_try_success),
        thousands(Math.round(arm.prompt_tokens.mean)),
        thousands(Math.round(arm.tokens_a_call.mean)),
        thousands(Math.round(arm.contradictions_shown.mean)),
      ],
    ];
  });
  const head = [
    'arm',
    'repeated mistakes',
    'task success',
    'first try',
    'prompt tokens',
    'a call',
    'contradictions',
  ];
  const ratios = Object.entries(report.ratios).map(
    ([name, { mean, low, high }]) =>
      `${name}: ${mean.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
  );
  return [
    table([head, ...rows]),
    '',
    ...(ratios.length === 0 ? [] : [`Repeated-mistake rate, ${ratios.join(' · ')}`]),
    `Seeds ${report.seeds.join(', ')}; mean and 95 % interval; passes ${report.passes}, grants ${report.grants}.`,
  ].join('\n');
}

/** `12.3 % (11.0–13.6)` */
function percent({ mean, low, high }: Interval): string {
  const text = (share: number) => (100 * share).toFixed(1);
  return `${text(mean)} % (${text(low)}–${text(high)})`;
}
