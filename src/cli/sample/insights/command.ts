import type { Command } from 'commander';
import { type CommandContext, connect, speech, withJson } from '../../command';
import { changeText } from '../../insights-text';
import { printable, table, thousands, wrapped } from '../../terminal';
import { lookAtGroup, type Shown } from './shown';
import { tellGroup } from './telling';

/** `cairn sample insights`: what was recommended, what came of it, and what is recommended since. */
export function insightsSampleCommand(sample: Command, context: CommandContext): void {
  withJson(
    sample
      .command('insights')
      .description(
        'tell three months of a small restaurant group, and show which actions proved good; again is safe',
      ),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const told = await tellGroup(client, (line) => say.note(line));
    const shown = await lookAtGroup(client, told);
    const { numbers, saved, taken } = told;
    say.emit({ told: { numbers, saved, taken }, ...shown });
    say.print(shownText(shown, say.width));
  });
}

function shownText(shown: Shown, width: number): string {
  const { actions, outcomes, promoted, demoted, removed, last } = shown;
  const line = (text: string) => wrapped(printable(text), width, '     ');
  return [
    '1. What was done, and where the numbers went within three weeks:',
    '',
    table(
      outcomes.map(({ title, action: { outcome } }) => [
        `     ${printable(title.replace('Sample, ', ''))}`,
        `${thousands(outcome?.baseline ?? 0)} → ${thousands(outcome?.value ?? 0)} ${printable(outcome?.unit ?? '')}`,
        `${outcome?.result ?? ''}${changeText(outcome?.size ?? null)}`,
      ]),
    ),
    '',
    '2. What each action came to, all restaurants together:',
    '',
    table(
      actions.map(({ text, boost, priority, evidence, blocked }) => [
        `     ${printable(text)}`,
        `${evidence.improved} improved, ${evidence.unchanged} unchanged, ${evidence.worse} worse`,
        `boost ${boost.toFixed(2)}`,
        blocked === null ? priority : 'blocked',
      ]),
    ),
    '',
    `3. All four were put into "${printable(last.title ?? '')}". Promoted:`,
    ...promoted.flatMap(({ text, rationale }) => ['', line(text), line(rationale)]),
    '',
    '4. Demoted:',
    ...demoted.flatMap(({ text, caution }) => ['', line(text), line(`Caution: ${caution ?? ''}`)]),
    '',
    `5. Removed, and recommended to nobody any more (${last.removed} of that insight):`,
    ...removed.flatMap(({ text, blocked }) => [
      '',
      line(text),
      line(`Blocked by ${blocked?.by ?? ''}: ${blocked?.reason ?? 'no reason given'}`),
    ]),
    '',
    `   $ npx cairn insights show ${last.id}`,
    '   $ npx cairn actions',
  ].join('\n');
}
