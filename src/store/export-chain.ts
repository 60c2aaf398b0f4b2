import { createHash } from 'node:crypto';
import type { ExportSignature } from '../contracts/transfer';
import { type Signer, verifySignature } from './signing';

/** Of no line yet. */
export const NO_CHAIN = createHash('sha256').update('cairn-export/1').digest('hex');

/**
 * SHA-256 of the head so far, as its 32 bytes, and of the line's own bytes without the line feed; hex. A head stands
 * for every line up to it, so that whoever takes a file in parts need not keep more.
 */
export function chained(head: string, line: string | Uint8Array): string {
  return createHash('sha256').update(Buffer.from(head, 'hex')).update(line).digest('hex');
}

/** The last line of an export. */
export function signedEnd(signer: Signer, lines: number, chain: string): ExportSignature {
  return { type: 'signature', lines, chain, ...signer.sign('export', signed(lines, chain)) };
}

/** Whether the last line is of the lines that were read, whoever signed it. */
export function endIsOf(end: ExportSignature, lines: number, chain: string): boolean {
  return (
    end.lines === lines &&
    end.chain === chain &&
    verifySignature('export', signed(lines, chain), end)
  );
}

function signed(lines: number, chain: string): Buffer {
  return Buffer.from(`${lines}\n${chain}`);
}
