import { activityInfo } from '@temporalio/activity';
import type { CardDraft } from '../contracts/card';
import type { Clock } from '../contracts/clock';
import type { ModelDraft } from '../contracts/messages';
import { distill } from '../domain/distill/distill';
import type { Distiller } from '../models/distiller';
import { recheckDraft } from '../schemas/model-output';
import type { Database, Tx } from '../store/database';
import { type EventToDistill, readEventToDistill, saveDraft } from '../store/drafts';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import { permanent } from './failure';
import { askModel, redactorOf } from './model-calls';

export interface ModelDependencies {
  database: Database;
  clock: Clock;
  /** Null where no model is configured: then every call fails for good and the stand-in writes the card. */
  distiller: Distiller | null;
  /** Keys the tokens of a workspace, the same as at intake. */
  secretKey: string;
}

export interface ModelActivities {
  /**
   * Leaves a draft by the model in Postgres.
   * Heartbeats while it waits and gives up the call when it is cancelled. Fails with a code of
   * `src/contracts/failures.ts`; a 429 names its own retry delay.
   */
  distillByModel(key: { workspace: string; event_id: string }): Promise<ModelDraft>;
}

/** No transaction is open while the model is asked: what it takes, nobody else should wait for. */
export function createModelActivities(deps: ModelDependencies): ModelActivities {
  const { database, clock, distiller } = deps;
  return {
    distillByModel: async ({ workspace, event_id }) => {
      if (distiller === null) throw permanent('model_not_configured');
      const work = await database.inWorkspace(workspace, (tx) => readWork(tx, event_id));
      const standIn = distill(work.event, work.ownWarnings);
      const written = await askModel((signal) =>
        distiller.distill(work.event, work.ownWarnings, standIn, signal),
      );
      const checked = recheckDraft(
        written,
        standIn,
        redactorOf(deps.secretKey, workspace, work.settings),
      );
      const kept = { draft: checked, shown: work.ownWarnings };
      return resultOf(
        await database.inWorkspace(workspace, (tx) => saveDraft(tx, event_id, kept, clock())),
      );
    },
  };
}

interface Work extends EventToDistill {
  settings: WorkspaceSettings;
}

async function readWork(tx: Tx, eventId: string): Promise<Work> {
  const found = await readEventToDistill(tx, eventId);
  const settings = await readSettings(tx);
  if (found === null || settings === null) throw permanent('event_missing');
  return { ...found, settings };
}

function resultOf(draft: CardDraft): ModelDraft {
  return {
    kind: draft.kind,
    sign: draft.sign,
    distilled_by: draft.distilled_by,
    own_warnings: draft.derived_from.length,
    tries: activityInfo().attempt,
  };
}
