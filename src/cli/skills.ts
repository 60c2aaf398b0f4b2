import type { Command } from 'commander';
import { given } from '../client/given';
import { SKILL_STATUSES, type SkillStatus } from '../contracts/skill';
import { choiceOf, countOf } from './arguments';
import { type CommandContext, connect, speech, withJson } from './command';
import { LIMIT, type PageFlags, withPage } from './page';
import { importSkill } from './skills-import';
import { type ScopeFlags, scopeOf, withScope } from './skills-scope';
import { diffText, skillsText, skillText, testsText } from './skills-text';

interface ListFlags extends PageFlags {
  query?: string;
  status?: SkillStatus;
  as?: string;
}

interface OneFlags extends ScopeFlags {
  version?: number;
  as?: string;
  json?: boolean;
}

/** Procedures that were learned or written: what there is, what they say, and which version is in use. */
export function skillsCommand(program: Command, context: CommandContext): void {
  const skills = program
    .command('skills')
    .description('skills: list, show, compare, test, roll back, deprecate, import and export them');

  withPage(
    skills
      .command('list', { isDefault: true })
      .description('skills by name; with a query those in use that fit, the best first')
      .option('--query <text>', 'what you are about to do')
      .option('--status <status>', SKILL_STATUSES.join(', '), choiceOf(SKILL_STATUSES))
      .option('--as <agent>', 'as this agent would see them'),
  ).action(async (flags: ListFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { query, status, as: agent, limit = LIMIT, cursor } = flags;
    const reader = client.with(given({ agent })).skills;
    const page =
      query === undefined
        ? await reader.list({ limit, ...given({ status, cursor }) })
        : await reader.discover(query, { limit, ...given({ cursor }) });
    say.emit(page);
    say.print(skillsText(page));
  });

  withJson(
    withScope(
      skills
        .command('show')
        .argument('<name>')
        .description('one skill, whole: the version in use, or another')
        .option('--version <n>', 'this version', countOf)
        .option('--as <agent>', 'as this agent would see it'),
    ),
  ).action(async (name: string, flags: OneFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { version, as: agent } = flags;
    const reader = client.with(given({ agent })).skills;
    const skill = await reader.get(name, { ...scopeOf(flags), ...given({ version }) });
    say.emit(skill);
    say.print(skillText(skill, say.width));
  });

  withJson(
    withScope(
      skills
        .command('diff')
        .argument('<name>')
        .argument('[from]', 'a version (default: the one in use)', countOf)
        .argument('[to]', 'a version (default: the latest)', countOf)
        .description('what differs between two versions, by section'),
    ),
  ).action(
    async (
      name: string,
      from: number | undefined,
      to: number | undefined,
      flags: ScopeFlags & { json?: boolean },
    ) => {
      const say = speech(context, flags);
      const { client } = await connect(context);
      const options = { ...scopeOf(flags), ...given({ from, to }) };
      const diff = await client.skills.diff(name, options);
      say.emit(diff);
      say.print(diffText(diff, say.width));
    },
  );

  changingCommands(skills, context);
}

function changingCommands(skills: Command, context: CommandContext): void {
  withJson(
    withScope(
      skills
        .command('test')
        .argument('<name>')
        .argument('<version>', 'of the skill', countOf)
        .description('run its tests on a version, and put it in use where it is no step back')
        .option('--dry-run', 'run the tests only'),
    ),
  ).action(
    async (
      name: string,
      version: number,
      flags: ScopeFlags & { dryRun?: boolean; json?: boolean },
    ) => {
      const say = speech(context, flags);
      const { client } = await connect(context);
      const { dryRun } = flags;
      const options = { ...scopeOf(flags), ...given({ dryRun }) };
      const skill = await client.skills.test(name, version, options);
      say.emit(skill);
      say.print(testsText(skill));
      if ((skill.test_result?.regressions.length ?? 0) > 0) context.exit = 1;
    },
  );

  withJson(
    withScope(
      skills
        .command('rollback')
        .argument('<name>')
        .argument('[version]', 'that was in use (default: the one before)', countOf)
        .description('take an earlier version back into use'),
    ),
  ).action(
    async (name: string, version: number | undefined, flags: ScopeFlags & { json?: boolean }) => {
      const say = speech(context, flags);
      const { client } = await connect(context);
      const options = { ...scopeOf(flags), ...given({ version }) };
      const skill = await client.skills.rollback(name, options);
      say.emit(skill);
      say.print(testsText(skill));
    },
  );

  withJson(
    withScope(
      skills
        .command('deprecate')
        .argument('<name>')
        .description('advise against a skill; a rollback takes it back')
        .option('--replaced-by <name>', 'the skill to use instead'),
    ),
  ).action(async (name: string, flags: ScopeFlags & { replacedBy?: string; json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { replacedBy } = flags;
    const options = { ...scopeOf(flags), ...given({ replacedBy }) };
    const skill = await client.skills.deprecate(name, options);
    say.emit(skill);
    say.print(skillText(skill, say.width));
  });

  withJson(
    withScope(
      skills
        .command('import')
        .argument('<file>', 'a SKILL.md')
        .description('write a skill from a SKILL.md, or its next version, which is tested'),
    ),
  ).action(async (file: string, flags: ScopeFlags & { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const skill = await importSkill(client, file, scopeOf(flags));
    say.emit(skill);
    say.print(testsText(skill));
    if (skill.current_version !== skill.version) context.exit = 1;
  });

  withJson(
    withScope(
      skills
        .command('export')
        .argument('<name>')
        .description('print a skill as a SKILL.md: > SKILL.md keeps it')
        .option('--version <n>', 'this version', countOf)
        .option('--as <agent>', 'as this agent would see it'),
    ),
  ).action(async (name: string, flags: OneFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { version, as: agent } = flags;
    const reader = client.with(given({ agent })).skills;
    const skill_md = await reader.markdown(name, { ...scopeOf(flags), ...given({ version }) });
    say.emit({ name, skill_md });
    say.print(skill_md.trimEnd());
  });
}
