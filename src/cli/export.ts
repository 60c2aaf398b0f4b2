import { open, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { given } from '../client/given';
import type { ExportManifest, ExportSignature } from '../contracts/transfer';
import { linesOf } from '../domain/text-lines';
import { type CommandContext, connect, speech, withJson } from './command';
import { Failed, WrongUse } from './failure';
import { thousands } from './terminal';

interface ExportFlags {
  subject?: string;
  agent?: string;
  json?: boolean;
}

/** What was written. */
interface Written {
  manifest: ExportManifest;
  end: ExportSignature;
}

export function exportCommand(program: Command, context: CommandContext): void {
  withJson(
    program
      .command('export')
      .argument('<file>', 'is made; one that is there is left alone')
      .description('everything there is as signed lines of JSON, to keep or to take elsewhere')
      .option('--subject <id>', 'what is about this subject alone')
      .option('--agent <id>', 'the cards and edges that this agent sees'),
  ).action(async (file: string, flags: ExportFlags) => {
    const say = speech(context, flags);
    const { client } = await connect(context);
    const { subject, agent } = flags;
    const speaking = agent === undefined ? client : client.with({ agent });
    const { manifest, end } = await writtenTo(file, speaking.transfers.export(given({ subject })));
    const { of, counts, made_at } = manifest;
    const { lines, key_id } = end;
    say.emit({ file, of, counts, made_at, lines, key_id });
    const rows = Object.entries(counts).filter(([, count]) => count > 0);
    const told = rows.map(([type, count]) => `  ${type.padEnd(24)}${thousands(count)}`);
    const head = `${file}: ${thousands(lines + 1)} lines, signed by ${key_id}`;
    say.print([head, ...told].join('\n'));
  });
}

/** What broke off is taken away: without its last line it proves nothing and comes in nowhere. */
async function writtenTo(file: string, chunks: AsyncIterable<Uint8Array>): Promise<Written> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') {
      throw new WrongUse(`${file} is there already: name another file.`);
    }
    throw new Failed(`${file} cannot be written: ${error.message}`);
  });
  try {
    const kept = async function* () {
      for await (const chunk of chunks) {
        await handle.write(chunk);
        yield chunk;
      }
    };
    let first: string | null = null;
    let last = '';
    for await (const line of linesOf(kept())) {
      if ('problem' in line) throw new Failed(`line ${line.number} is ${line.problem}`);
      first ??= line.text;
      last = line.text;
    }
    const end = last.startsWith('{"type":"signature"')
      ? (JSON.parse(last) as ExportSignature)
      : null;
    if (first === null || end === null) {
      throw new Failed('the export broke off: nothing is kept of it; ask again', 'broken_off');
    }
    await handle.sync();
    return { manifest: JSON.parse(first) as ExportManifest, end };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}
