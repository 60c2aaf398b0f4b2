import { appendFileSync, writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { choiceOf, countOf } from '../arguments';
import { type CommandContext, speech, withJson } from '../command';
import { ARMS, type ArmName, type Ran, reportOf, reportText } from './report';
import { runArm } from './run-arms';
import { SEEDS, WORLD } from './world/frozen';

interface SimulateFlags {
  seeds: number[];
  arms: ArmName[];
  weeks: number;
  passes: 'on' | 'off';
  grants: 'on' | 'off';
  out?: string;
  trace?: string;
  json?: boolean;
}

/** So many of the frozen seeds, from the first; or those that are named. */
function seedsOf(value: string): number[] {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= SEEDS.length) return SEEDS.slice(0, count);
  const named = value.split(',').map(Number);
  if (named.every((seed) => SEEDS.some((one) => one === seed))) return named;
  throw new InvalidArgumentError(
    `It must be a number from 1 to ${SEEDS.length}, or some of ${SEEDS.join(',')}.`,
  );
}

function armsOf(value: string): ArmName[] {
  const arms = value.split(',').map(choiceOf(ARMS));
  return ARMS.filter((arm) => arms.includes(arm));
}

export function simulateCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('simulate')
      .description(
        'whether memory pays: a fleet in a simulated world, without, with a pile, with Cairn',
      )
      .option(
        '--seeds <n>',
        `how many of the frozen seeds, or which: ${SEEDS.join(',')}`,
        seedsOf,
        [...SEEDS],
      )
      .option('--arms <list>', `some of ${ARMS.join(',')}`, armsOf, [...ARMS])
      .option('--weeks <n>', 'another length than the frozen four weeks', countOf, WORLD.weeks)
      .option(
        '--passes <on|off>',
        "the nights of Cairn's arm",
        choiceOf(['on', 'off'] as const),
        'on',
      )
      .option(
        '--grants <on|off>',
        "whether the runtime shows proven lessons to team mates at once, in Cairn's arm",
        choiceOf(['on', 'off'] as const),
        'on',
      )
      .option('--out <file>', 'write the whole report there, as JSON')
      .option(
        '--trace <file>',
        'write each repeated mistake there with its cause, a line of JSON each',
      ),
  ).action(async (flags: SimulateFlags) => {
    const say = speech(context, flags);
    const options = context.options();
    const parameters = { ...WORLD, weeks: flags.weeks };
    const { loadEmbedder } = require('../../embedded/main') as typeof import('../../embedded/main');
    const note = (line: string) => say.note(line);
    const embedder = await loadEmbedder(options, note);
    const { trace } = flags;
    if (trace !== undefined) writeFileSync(trace, '');
    const runs: Ran[] = [];
    try {
      for (const seed of flags.seeds) {
        for (const arm of flags.arms) {
          note(`seed ${seed}, ${arm}`);
          const ran = await runArm(arm, seed, {
            options,
            parameters,
            passes: flags.passes === 'on',
            grants: flags.grants === 'on',
            embedder: async () => embedder,
            note,
            ...(trace === undefined
              ? {}
              : { trace: (line) => appendFileSync(trace, `${JSON.stringify(line)}\n`) }),
          });
          runs.push(ran);
        }
      }
    } finally {
      await embedder.close();
    }
    const { passes, grants } = flags;
    const report = reportOf(runs, { parameters, passes, grants, embedder: embedder.id });
    if (flags.out !== undefined) writeFileSync(flags.out, `${JSON.stringify(report, null, 2)}\n`);
    say.emit(report);
    say.print(reportText(report));
  });
}
