import type { AuditFault, AuditVerification } from '../contracts/audit';
import { BEGINNING, type ChainEnd } from '../domain/audit-chain';
import { chainLength, countUnsealed } from '../store/audit-chain';
import { endAt, verifyNext } from '../store/audit-verifying';
import { TOTAL_CAP } from '../store/paging';
import type { ApiDependencies } from './app';

/** Blocks in one answer, each in a transaction of its own: about a second, and 50,000 rows of each log. */
const BLOCKS_A_CALL = 100;

/**
 * Computes the chain of a workspace anew, from the first seal or from the one that an earlier answer ended
 * at, and compares it with what is there.
 */
export async function verifyChain(
  deps: Pick<ApiDependencies, 'database'>,
  workspace: string,
  asked: { after: number; anchor: string | null },
): Promise<AuditVerification> {
  const { end, fault, isWhole } = await walk(deps, workspace, asked.after);
  return await deps.database.inWorkspace(workspace, async (tx) => {
    const { seals, n } = await chainLength(tx, asked.anchor);
    const unsealed = Math.min(await countUnsealed(tx, end), TOTAL_CAP);
    const isLost = asked.anchor !== null && isWhole && n === null;
    const bad: AuditFault | null =
      fault ?? (isLost ? { log: 'chain', seq: null, reason: 'anchor' } : null);
    return {
      ok: bad === null,
      seals,
      verified: end.n,
      sealed_to: { audit: Number(end.audit), access: Number(end.access) },
      unsealed,
      head: end.head,
      ...(asked.anchor === null ? {} : { anchor: { head: asked.anchor, n } }),
      ...(bad === null ? {} : { first_bad: bad }),
      next: bad === null && !isWhole ? end.n : null,
    };
  });
}

/** @returns where the blocks that hold end, and whether nothing comes after them */
async function walk(
  { database }: Pick<ApiDependencies, 'database'>,
  workspace: string,
  after: number,
): Promise<{ end: ChainEnd; fault: AuditFault | null; isWhole: boolean }> {
  let end = BEGINNING;
  if (after > 0) {
    const found = await database.inWorkspace(workspace, (tx) => endAt(tx, after));
    if (found === null) {
      return { end, fault: { log: 'chain', seq: after, reason: 'missing' }, isWhole: false };
    }
    end = found;
  }
  for (let block = 1; block <= BLOCKS_A_CALL; block += 1) {
    const from = end;
    const next = await database.inWorkspace(workspace, (tx) => verifyNext(tx, from));
    if (next === null) return { end, fault: null, isWhole: true };
    if ('fault' in next) return { end, fault: next.fault, isWhole: false };
    end = next.end;
  }
  return { end, fault: null, isWhole: false };
}
