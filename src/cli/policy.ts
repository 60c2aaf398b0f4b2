import type { Command } from 'commander';
import type { PolicyPatch } from '../contracts/policy';
import { type CommandContext, connect, speech, withJson } from './command';
import { EXIT, Failed, WrongUse } from './failure';
import { jsonIn } from './json-file';
import { changesText, previewText } from './policy-text';

/** The rules of the workspace: what holds, what a change would do, and changing them. */
export function policyCommand(program: Command, context: CommandContext): void {
  const policy = program.command('policy').description('the rules of the workspace');

  withJson(
    policy.command('show').description('the policy that holds, every default filled in'),
  ).action(async (flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const document = await client.policy.get();
    say.emit(document);
    say.print(JSON.stringify(document, null, 2));
  });

  withJson(
    policy
      .command('preview')
      .argument('<file>', 'JSON: any part of the policy; - reads standard input')
      .description('what a change would change, and what it would have done; changes nothing'),
  ).action(async (file: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const candidate = await candidateIn(context, file);
    const { client } = await connect(context);
    const preview = await client.policy.preview(candidate.change);
    say.emit(preview);
    say.print(previewText(preview));
    if (!preview.valid) context.exit = EXIT.failed;
  });

  withJson(
    policy
      .command('set')
      .argument('<file>', 'JSON: any part of the policy; - reads standard input')
      .description('change the policy; a version in the file has to be the one that holds'),
  ).action(async (file: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { change, version } = await candidateIn(context, file);
    const { client } = await connect(context);
    const preview = await client.policy.preview(change);
    if (!preview.valid) {
      throw new Failed(
        preview.problems.map((one) => `${one.pointer}: ${one.detail}`).join('\n'),
        'invalid',
      );
    }
    const expected = version ?? (await client.policy.get()).version;
    const after = await client.policy.put(expected, change);
    say.emit({ version: after.version, changed: preview.changed });
    say.print(changesText(preview.changed));
    say.print(`It is version ${after.version}.`);
  });
}

/** @throws {WrongUse} the file cannot be read, or holds no JSON object */
async function candidateIn(
  context: CommandContext,
  file: string,
): Promise<{ change: PolicyPatch; version: number | undefined }> {
  const value = await jsonIn(context, file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new WrongUse(`${file} is JSON, but no object: it holds parts of the policy.`);
  }
  const { version, ...change } = value as { version?: number } & PolicyPatch;
  return { change, version };
}
