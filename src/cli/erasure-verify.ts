import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { given } from '../client/given';
import type { ErasureReceipt } from '../contracts/erasure';
import type { ErasureVerification } from '../contracts/erasure-proof';
import { type CommandContext, connect, speech, withJson } from './command';
import { EXIT, Failed } from './failure';

/** Every row and every history is looked through: minutes, where there are many. */
const DEADLINE_MS = 600_000;

const SIGNATURES: Readonly<Record<ErasureVerification['signature'], string>> = {
  valid: 'signed by this installation, and unchanged',
  foreign: 'signed by another key than this installation’s',
  invalid: 'changed after it was signed, or none of ours',
};

const ENDS: Readonly<Record<ErasureVerification['status'], string>> = {
  completed: '',
  held: ': a legal hold keeps a part of it',
  unverified: ': its own search still found something',
};

/** Adds `verify` to `cairn erasure`. */
export function verifyCommand(erasure: Command, context: CommandContext): void {
  withJson(
    erasure
      .command('verify')
      .argument('<receipt>', 'file with a receipt, as `cairn erasure show ID --json` prints it')
      .description(
        'look whether an erasure still holds: exits with 0 where it does, with 1 where it does not, ' +
          'and names the place',
      )
      .option(
        '--search <text...>',
        'is to be found nowhere: in no table, no history of Temporal, no file of the embedded database',
      ),
  ).action(async (file: string, flags: { search?: string[]; json?: boolean }) => {
    const say = speech(context, flags);
    const receipt = await receiptIn(file);
    const { client } = await connect(context);
    const { search } = flags;
    const options = { ...given({ search }), timeoutMs: DEADLINE_MS };
    const verified = await client.erasures.verify(receipt, options);
    say.emit(verified);
    say.print(verificationText(verified));
    if (!verified.ok) context.exit = EXIT.failed;
  });
}

/** A receipt, or an erasure with its receipt. */
async function receiptIn(file: string): Promise<ErasureReceipt> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Failed(`${file} cannot be read: ${error.message}`);
  });
  try {
    const held = JSON.parse(text) as ErasureReceipt & { receipt?: ErasureReceipt | null };
    if (held.receipt !== null) return held.receipt ?? held;
  } catch {
    throw new Failed(`${file} is no JSON.`);
  }
  throw new Failed(
    `${file} holds an erasure that has no receipt: a dry run, or one that has not ended.`,
  );
}

export function verificationText(verified: ErasureVerification): string {
  const { ok, erasure_id, status, left, signature, missing, returned, places } = verified;
  const lines = [
    `${erasure_id}: ${ok ? 'holds' : 'DOES NOT HOLD'}`,
    `  receipt: ${SIGNATURES[signature]}`,
    `  ended ${status}${ENDS[status]}`,
    ...left.map(({ place, found }) => `  ${place}: ${found} found when it ended`),
  ];
  if (missing > 0) {
    lines.push(
      `  ${missing} of its ids are no longer known as erased: after a restore, cairn tombstones apply`,
    );
  }
  for (const { place, kind, found } of returned) {
    lines.push(`  ${place}: ${found} rows name an erased ${kind}`);
  }
  for (const { place, found } of places.filter((one) => one.found > 0)) {
    lines.push(`  ${place}: holds a text that was searched for, ${found} times`);
  }
  if (places.length > 0 && places.every(({ found }) => found === 0)) {
    lines.push(`  the texts are in none of ${places.length} places`);
  }
  return lines.join('\n');
}
