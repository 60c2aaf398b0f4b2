import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { TombstonesApplied, TombstonesFile } from '../contracts/erasure-proof';
import { type CommandContext, connect, speech, withJson } from './command';
import { Failed } from './failure';
import { thousands } from './terminal';

/** Every row is looked at: minutes, where there are many. */
const DEADLINE_MS = 600_000;

/** What is erased, to be kept beside a backup and applied after a restore. */
export function tombstonesCommand(program: Command, context: CommandContext): void {
  const tombstones = program
    .command('tombstones')
    .description('what is erased, kept beside a backup: erased again after a restore');
  exportCommand(tombstones, context);
  applyCommand(tombstones, context);
}

function exportCommand(tombstones: Command, context: CommandContext): void {
  withJson(
    tombstones
      .command('export')
      .argument('<file>', 'is written over: the newest holds what each before it held')
      .description('write keyed hashes of all that is erased to a signed file; no id stands in it'),
  ).action(async (file: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const exported = await client.tombstones.export({ timeoutMs: DEADLINE_MS });
    await writeFile(file, `${JSON.stringify(exported)}\n`, { mode: 0o600 }).catch(
      (error: Error) => {
        throw new Failed(`${file} cannot be written: ${error.message}`);
      },
    );
    const { made_at, key_id } = exported;
    const count = exported.tombstones.length;
    say.emit({ file, tombstones: count, made_at, key_id });
    say.print(`${file}: ${thousands(count)} tombstones, signed by ${key_id}`);
  });
}

function applyCommand(tombstones: Command, context: CommandContext): void {
  withJson(
    tombstones
      .command('apply')
      .argument('<file>', 'as `cairn tombstones export` wrote it')
      .description('erase again what a restored backup brought back'),
  ).action(async (file: string, flags: { json?: boolean }) => {
    const say = speech(context, flags);
    const text = await readFile(file, 'utf8').catch((error: Error) => {
      throw new Failed(`${file} cannot be read: ${error.message}`);
    });
    const { client } = await connect(context);
    const applied = await client.tombstones.apply(parsed(file, text), { timeoutMs: DEADLINE_MS });
    say.emit(applied);
    say.print(appliedText(applied));
  });
}

function parsed(file: string, text: string): TombstonesFile {
  try {
    return JSON.parse(text) as TombstonesFile;
  } catch {
    throw new Failed(`${file} is no JSON.`);
  }
}

function appliedText({ written, returned, erasure_id }: TombstonesApplied): string {
  const buried = `${thousands(written)} tombstones were not there and are now`;
  if (erasure_id === null) return `${buried}; nothing that is erased had come back.`;
  const kinds = Object.entries(returned).map(([kind, count]) => `${thousands(count)} ${kind}`);
  return `${buried}; came back: ${kinds.join(', ')}.\nErased again: cairn erasure show ${erasure_id}`;
}
