import type { Clock } from '../contracts/clock';
import type {
  PassBegun,
  PassCounts,
  PassRequest,
  RunEnd,
  ScheduledPass,
  ScopeTaken,
  UnitInput,
  UnitsBatch,
  UnitsInput,
} from '../contracts/passes';
import { passOperationId } from '../contracts/workflow-ids';
import { logicalDay } from '../domain/pass-day';
import type { Database } from '../store/database';
import { scopesInUse, scopesSwitchedOn } from '../store/filing-scopes';
import { endLostPasses, endPassRun, endRun } from '../store/pass-endings';
import { beginPassRun, openUnit, readPassRun, startUnit } from '../store/pass-runs';
import { dropDrafts } from '../store/run-drafts';
import { leaveScope, takeScope } from '../store/scope-leases';
import { readSettings } from '../store/settings';
import { executionOf } from './execution';

export interface PassDependencies {
  database: Database;
  clock: Clock;
  /** What makes words and vectors here, for the record; `fallback` without a model. */
  models: { words: string; vectors: string };
}

export interface PassActivities {
  /** Opens the row of a pass and says which day it is of, in the workspace's zone. */
  beginPass(input: PassRequest & { first_run_id: string }): Promise<PassBegun>;
  /**
   * The next units of a pass, each with a row of its own that waits for its workflow. There is none of an agent whose
   * memory is off, even where its scope was named.
   */
  nextUnits(input: UnitsInput): Promise<UnitsBatch>;
  /** The unit begins. @returns false where its row is gone or has ended */
  beginUnit(input: UnitInput): Promise<{ begun: boolean }>;
  /** Takes the unit's scope, or keeps it, for ten minutes. */
  holdScope(input: UnitInput): Promise<ScopeTaken>;
  /** Gives the scope back and writes the record. */
  endUnit(input: RunEnd & { unit: UnitInput }): Promise<void>;
  /** Writes the record; its counts are those of all units, of failed ones too. */
  endPass(input: RunEnd): Promise<{ counts: PassCounts }>;
}

/** Units opened at once; their rows are written in one transaction. */
const UNITS = 50;
/** Longer than any step of a unit takes; a unit holds its scope anew before each. */
const LEASE_MS = 10 * 60_000;

/** By scope, or one for the whole workspace. */
const BY_SCOPE: Readonly<Record<ScheduledPass, boolean>> = {
  consolidation: true,
  reflection: true,
  recalibration: false,
  retention: false,
};

export function createPassActivities({
  database,
  clock,
  models,
}: PassDependencies): PassActivities {
  return {
    beginPass: (input) =>
      database.inWorkspace(input.workspace, async (tx) => {
        const { workflowId, runId } = executionOf();
        const settings = await readSettings(tx);
        if (settings === null) throw new Error('a pass is of a workspace that exists');
        const { policy, policyVersion, memoryMode } = settings;
        const at = input.at === undefined ? clock() : new Date(input.at);
        const operationId = input.operation_id ?? passOperationId(input.first_run_id);
        const day = logicalDay(input.type, at, policy.consolidation.timezone);
        const asked = input.operation_id !== undefined;
        if (!asked) await endLostPasses(tx, input.type, { except: operationId, now: clock() });
        const begun = await beginPassRun(
          tx,
          {
            operationId,
            type: input.type,
            scope: input.scope ?? null,
            day,
            dryRun: input.dry_run ?? false,
            budget: input.budget ?? null,
            versions: { policy: policyVersion, model: models.words, embedder: models.vectors },
            workflowId,
            runId,
          },
          clock(),
        );
        const skip = !begun
          ? 'ended'
          : memoryMode === 'off'
            ? 'memory_off'
            : !asked && policy[input.type].paused
              ? 'paused'
              : null;
        return { operation_id: operationId, day, skip };
      }),

    nextUnits: ({ workspace, operation_id, after, most = UNITS }) =>
      database.inWorkspace(workspace, async (tx) => {
        const pass = await readPassRun(tx, operation_id);
        if (pass === null) return { units: [], next: null };
        const limit = Math.min(UNITS, most);
        const whole = { type: 'workspace' as const, id: workspace };
        const isWhole = pass.scope.type === 'workspace' && pass.scope.id === workspace;
        const scopes = !BY_SCOPE[pass.type]
          ? [whole]
          : isWhole && !pass.scopeNamed
            ? await scopesInUse(tx, after, limit)
            : [pass.scope];
        const units = [];
        for (const scope of await scopesSwitchedOn(tx, scopes)) {
          const opened = await openUnit(tx, { ...pass, parentId: operation_id, scope }, clock());
          units.push({ ...opened, scope });
        }
        const more = BY_SCOPE[pass.type] && isWhole && !pass.scopeNamed && scopes.length === limit;
        return { units, next: more ? (scopes.at(-1) ?? null) : null };
      }),

    beginUnit: ({ workspace, operation_id }) =>
      database.inWorkspace(workspace, async (tx) => {
        const { runId } = executionOf();
        return { begun: await startUnit(tx, operation_id, runId, clock()) };
      }),

    holdScope: ({ workspace, operation_id, scope }) =>
      database.inWorkspace(workspace, async (tx) => {
        const { workflowId } = executionOf();
        const holder = { operationId: operation_id, workflowId };
        const other = await takeScope(tx, scope, holder, { now: clock(), forMs: LEASE_MS });
        return { taken: other === null, held_by: other?.workflowId ?? null };
      }),

    endUnit: ({ workspace, operation_id, end, unit }) =>
      database.inWorkspace(workspace, async (tx) => {
        await leaveScope(tx, unit.scope, operation_id);
        if (end.state === 'completed' && !unit.dry_run && end.result.status === 'completed') {
          await dropDrafts(tx, operation_id);
        }
        await endRun(tx, operation_id, end, clock());
      }),

    endPass: ({ workspace, operation_id, end }) =>
      database.inWorkspace(workspace, async (tx) => ({
        counts: await endPassRun(tx, operation_id, end, clock()),
      })),
  };
}
