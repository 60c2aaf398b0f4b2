import type { Clock } from '../contracts/clock';
import type { ImportBatch, ImportCounts, ImportInput, ImportResult } from '../contracts/transfer';
import { workspaceHasher } from '../intake/hashing';
import { tombstoneHash } from '../intake/tombstone-hash';
import type { Database } from '../store/database';
import { applyNextLines } from '../store/import-applying';
import { finishImport } from '../store/import-ending';
import type { TombstoneHash } from '../store/import-erased';
import { executionOf } from './execution';
import { whileHeartbeating } from './heartbeat';

export interface ImportDependencies {
  database: Database;
  clock: Clock;
  secretKey: string;
  /** Milliseconds that a step goes on for, 1,000 by default; lowered by tests. */
  stepMs?: number;
}

export interface ImportActivities {
  /** Applies the next lines, for about a second: some hundred a transaction, which lets go of them too. */
  applyImport(input: ImportInput): Promise<ImportBatch>;
  /** Ends the operation, with its counts and the names of what was skipped. */
  endImport(input: ImportInput & { cancelled: boolean }): Promise<ImportResult>;
}

const STEP_MS = 1_000;

export function createImportActivities(deps: ImportDependencies): ImportActivities {
  const { database, clock, secretKey, stepMs = STEP_MS } = deps;
  return {
    applyImport: ({ workspace, import_id, operation_id }) =>
      whileHeartbeating(async (signal) => {
        const { runId } = executionOf();
        const hasher = workspaceHasher(secretKey, workspace);
        const hashOf: TombstoneHash = (kind, id) => tombstoneHash(hasher, kind, id);
        const until = performance.now() + stepMs;
        for (;;) {
          signal.throwIfAborted();
          const batch = await database.inWorkspace(workspace, (tx) =>
            applyNextLines(
              tx,
              { importId: import_id, operationId: operation_id, runId, hashOf },
              clock(),
            ),
          );
          if (batch.done || performance.now() > until) return batch;
        }
      }),

    endImport: async ({ workspace, import_id, operation_id, cancelled }) => {
      const counts: ImportCounts = await database.inWorkspace(workspace, (tx) =>
        finishImport(tx, { importId: import_id, operationId: operation_id, cancelled }, clock()),
      );
      const status = cancelled ? 'cancelled' : counts.skipped > 0 ? 'partial' : 'completed';
      return { status, ...counts };
    },
  };
}
