import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../contracts/clock';
import type { SealBatch, SealBlockInput, SealHorizon } from '../contracts/messages';
import { horizonState, markHorizon, sealNext, sealTotals } from '../store/audit-sealing';
import type { Database } from '../store/database';
import { endPass, notePass, openPass } from '../store/passes';
import { executionOf } from './execution';
import { whileHeartbeating } from './heartbeat';

export interface SealDependencies {
  database: Database;
  clock: Clock;
}

export interface SealActivities {
  /**
   * Seals the next block of the two logs. A block is one transaction with a number of its own, so a try
   * that broke off after it is counted, and another sealer goes on after it.
   */
  sealBlock(input: SealBlockInput): Promise<SealBatch>;
}

/** Ordinary transactions take milliseconds: one that is still open after these looks is waited for elsewhere. */
const LOOKS = 20;
const BETWEEN_LOOKS_MS = 100;

export function createSealActivities({ database, clock }: SealDependencies): SealActivities {
  return {
    sealBlock: ({ workspace, operation_id, n, horizon: given }) =>
      whileHeartbeating(async (signal) => {
        const { workflowId, runId } = executionOf();
        const horizon = given ?? (await mark(workspace));
        const settled = await settle(workspace, horizon, signal);
        return await database.inWorkspace(workspace, async (tx) => {
          const pass = { operationId: operation_id, type: 'seal', workflowId, runId } as const;
          await openPass(tx, pass, clock());
          const made = { horizon: settled.horizon, at: clock(), workflowId };
          const { more } = settled.waiting ? { more: true } : await sealNext(tx, made);
          const totals = await sealTotals(tx, { workflowId, first: n });
          const counts = { ...totals };
          if (more) await notePass(tx, operation_id, counts);
          else await endPass(tx, operation_id, counts, { status: 'completed', ...totals }, clock());
          const state = settled.waiting ? 'waiting' : 'sealed';
          return { state, more, horizon: settled.horizon, totals };
        });
      }),
  };

  function mark(workspace: string): Promise<SealHorizon> {
    return database.inWorkspace(workspace, markHorizon);
  }

  /** Waits for a moment for what is open. A horizon of another server means nothing here: a new one is taken. */
  async function settle(
    workspace: string,
    given: SealHorizon,
    signal: AbortSignal,
  ): Promise<{ horizon: SealHorizon; waiting: boolean }> {
    let horizon = given;
    for (let look = 1; look <= LOOKS; look += 1) {
      signal.throwIfAborted();
      const state = await database.inWorkspace(workspace, (tx) => horizonState(tx, horizon));
      if (state === 'settled') return { horizon, waiting: false };
      if (state === 'foreign') horizon = await mark(workspace);
      else await sleep(BETWEEN_LOOKS_MS);
    }
    return { horizon, waiting: true };
  }
}
