import type { AuditFault, PlainRow } from '../contracts/audit';
import {
  type ChainEnd,
  endOf,
  faultInRows,
  faultInSeal,
  type PlainSeal,
} from '../domain/audit-chain';
import { plainRows, plainSeal, plainSealAt, writePlainly } from './audit-rows';
import { sha256 } from './audit-sealing';
import type { Tx } from './database';

/** A seal with the rows that are in its ranges now. */
export interface PlainBlock {
  seal: PlainSeal;
  rows: Record<'audit' | 'access', PlainRow[]>;
}

/**
 * The next block after the end of a chain; null where there is none.
 * @param surplus how many rows more than were sealed are read; one more says that there are more
 */
export async function readBlock(
  tx: Tx,
  end: ChainEnd,
  surplus: number,
): Promise<PlainBlock | null> {
  await writePlainly(tx);
  const seal = await plainSeal(tx, { after: end.n });
  if (seal === null) return null;
  const of = (log: 'audit' | 'access') =>
    plainRows(tx, log, {
      after: end.n === 0 ? null : end[log],
      to: seal[`${log}_to`],
      limit: Number(seal[`${log}_rows`]) + surplus,
    });
  return { seal, rows: { audit: await of('audit'), access: await of('access') } };
}

/** @returns where the chain stands after its next block, or what is wrong with that; null where there is none */
export async function verifyNext(
  tx: Tx,
  end: ChainEnd,
): Promise<{ end: ChainEnd } | { fault: AuditFault } | null> {
  const block = await readBlock(tx, end, 1);
  if (block === null) return null;
  const fault = faultInSeal(end, block.seal, sha256) ?? faultInRows(block.seal, block.rows, sha256);
  return fault === null ? { end: endOf(block.seal) } : { fault };
}

/** Where the chain stands after one of its seals; null where there is no such seal. */
export async function endAt(tx: Tx, n: number): Promise<ChainEnd | null> {
  await writePlainly(tx);
  const seal = await plainSealAt(tx, n);
  return seal === null ? null : endOf(seal);
}
