import type { EdgeWritten } from '../contracts/messages';
import type { Operation } from '../contracts/run';
import type { Tx } from '../store/database';
import type { OwnedOperation } from '../store/operations';
import { readerArguments, visibleAmong } from '../store/visible-cards';
import type { Caller } from './authentication';

/**
 * An operation as its caller may see it: an edge whose other end they have no path to is left out of
 * the result, as it is everywhere else (design §4). A runtime without an agent looks as the agent whose
 * work it reported.
 */
export async function operationFor(
  tx: Tx,
  caller: Caller,
  operation: OwnedOperation,
  now: Date,
): Promise<Operation> {
  const { agent_id: owner, ...shown } = operation;
  const edges = (shown.result?.edges ?? []) as unknown as EdgeWritten[];
  if (edges.length === 0 || shown.result === null) return shown;
  const agent = caller.context.agent ?? (caller.context.principal.kind === 'person' ? null : owner);
  const reader = readerArguments({ ...caller.context, agent }, caller.memberSubject, now);
  const visible = await visibleAmong(
    tx,
    reader,
    edges.map((edge) => edge.to),
  );
  return {
    ...shown,
    result: { ...shown.result, edges: edges.filter((edge) => visible.has(edge.to)) as never },
  };
}
