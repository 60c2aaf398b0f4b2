import { CairnError } from '../../client/error';
import { given } from '../../client/given';
import type { ImportedNot, ImportResult } from '../../contracts/transfer';
import { type CommandContext, connect, speech } from '../command';
import { EXIT, Failed } from '../failure';
import { thousands } from '../terminal';

export interface ExportToImport {
  chunks: AsyncIterable<Uint8Array | string>;
  file: string;
  acceptKey?: string;
  wait: boolean;
  json?: boolean;
}

type Applied = ImportResult & { problems: ImportedNot[] };

/** Of a large file some minutes. */
const WAIT_MS = 3_600_000;
/** The rest is counted, and the operation names the first 200. */
const SHOWN = 20;

/**
 * Sends an export in parts; repeated, it goes on where it stopped. Where another installation signed it, it says by
 * which key and how that one is accepted.
 */
export async function importExport(context: CommandContext, asked: ExportToImport): Promise<void> {
  const say = speech(context, asked);
  const { client } = await connect(context);
  const { chunks, acceptKey: accept_key, file } = asked;
  const taken = await client.transfers
    .import(chunks, {
      ...given({ accept_key }),
      onPart: ({ lines }) => say.note(`${thousands(lines)} lines are held`),
    })
    .catch((error: unknown) => {
      throw told(error, file);
    });
  if (taken.operation_id === null || !asked.wait) {
    say.emit(taken);
    say.print(`${thousands(taken.lines)} lines are taken; cairn runs show ${taken.operation_id}`);
    return;
  }
  const applied = await client.operations.result<Applied>(taken.operation_id, {
    deadlineMs: WAIT_MS,
  });
  say.emit({ ...taken, ...applied });
  say.print(appliedText(applied));
  if (applied.skipped > 0) context.exit = EXIT.failed;
}

function told(error: unknown, file: string): unknown {
  if (!(error instanceof CairnError)) return error;
  if (error.code !== 'foreign_key') return error;
  const key = String(error.problem.key_id);
  return new Failed(
    `Another installation signed this export, by the key ${key}. Ask them for the id of theirs; if it is this one: cairn import ${file} --accept-key ${key}`,
    'foreign_key',
  );
}

function appliedText({ lines, imported, known, skipped, redactions, problems }: Applied): string {
  const told = [
    `${thousands(lines)} lines: ${thousands(imported)} new, ${thousands(known)} known, ${thousands(skipped)} skipped`,
  ];
  for (const { line, type, id, code } of problems.slice(0, SHOWN)) {
    told.push(`  line ${line}  ${id === null ? type : `${type} ${id}`}: ${code}`);
  }
  if (skipped > SHOWN) told.push('  further ones are only counted');
  if (redactions > 0) told.push(`${thousands(redactions)} places were redacted on the way in`);
  return told.join('\n');
}
