import type { Command } from 'commander';
import type { Options } from '../../config/options';
import { type CommandContext, speech, withJson } from '../command';
import { findConnection } from '../connection';
import { EXIT, Failed } from '../failure';
import { type Check, fail } from './check';
import { dataDirectory, diskSpace, downloads, port, runningProcess, versions } from './machine';
import { namedServers } from './servers';
import { service } from './service';

export function doctorCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('doctor')
      .description('look at everything that Cairn needs, and say what to do where it is not right'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const checks = await examine(context.options());
    const failed = checks.filter(({ status }) => status === 'fail').length;
    const warned = checks.filter(({ status }) => status === 'warn').length;
    say.emit({ status: failed > 0 ? 'fail' : warned > 0 ? 'warn' : 'ok', checks });
    for (const { name, status, detail, advice } of checks) {
      say.print(`${status.padEnd(4)}  ${name.padEnd(16)} ${detail}`);
      if (advice !== undefined) say.print(`${' '.repeat(22)} → ${advice}`);
    }
    const counted = `${checks.length} checks, ${failed} failed, ${warned} to look at`;
    say.print(`\n${failed === 0 ? 'All is well' : 'Not well'}: ${counted}.`);
    if (failed > 0) context.exit = EXIT.failed;
  });
}

async function examine(options: Options): Promise<Check[]> {
  const checks = [versions()];
  if (options.url === null) {
    checks.push(
      await dataDirectory(options),
      ...(await runningProcess(options)),
      await diskSpace(options),
    );
  }
  try {
    checks.push(...(await service(await findConnection(options), options)));
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    const [detail = '', advice = ''] = error.message.split(/: (?=set |start )/);
    checks.push(fail(error.code === 'no_key' ? 'key' : 'API', detail, advice.replace(/\.$/, '')));
    checks.push(...(await namedServers(options)));
    if (options.url === null) checks.push(await port(options), ...(await downloads(options)));
  }
  return checks;
}
