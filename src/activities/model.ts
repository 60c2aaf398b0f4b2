import { activityInfo, CancelledFailure, log } from '@temporalio/activity';
import type { ApplicationFailure } from '@temporalio/common';
import type { CardDraft } from '../contracts/card';
import type { Clock } from '../contracts/clock';
import { FAILURES } from '../contracts/failures';
import type { ModelDraft } from '../contracts/messages';
import { distill } from '../domain/distill/distill';
import { type Distiller, DistillerError } from '../models/distiller';
import { type RedactionOptions, redactText } from '../redaction/scanner';
import { workspaceTagger } from '../redaction/tags';
import { recheckDraft } from '../schemas/model-output';
import type { Database, Tx } from '../store/database';
import { type EventToDistill, readEventToDistill, saveDraft } from '../store/drafts';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import { permanent, transient } from './failure';
import { whileHeartbeating } from './heartbeat';

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
      const written = await asked(distiller, work, standIn);
      const draft = recheckDraft(written, standIn, redactorOf(deps, workspace, work.settings));
      await database.inWorkspace(workspace, (tx) => saveDraft(tx, event_id, draft, clock()));
      return resultOf(draft);
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

async function asked(distiller: Distiller, work: Work, standIn: CardDraft): Promise<CardDraft> {
  try {
    return await whileHeartbeating((signal) =>
      distiller.distill(work.event, work.ownWarnings, standIn, signal),
    );
  } catch (error) {
    throw error instanceof CancelledFailure ? error : failureOf(error);
  }
}

/** What is not a code by now has no business in a history: it goes no further than its kind. */
function failureOf(error: unknown): ApplicationFailure {
  if (!(error instanceof DistillerError)) {
    log.error('the distiller broke', { kind: error instanceof Error ? error.name : typeof error });
    return transient('model_unavailable');
  }
  if (!FAILURES[error.type].retryable) return permanent(error.type);
  return transient(error.type, error.retryAfterMs ?? undefined);
}

/** The model may have put together again what redaction had taken apart. */
function redactorOf(
  deps: ModelDependencies,
  workspace: string,
  settings: WorkspaceSettings,
): (text: string) => string {
  const options: RedactionOptions = {
    tag: workspaceTagger(deps.secretKey, workspace),
    keepContactData: settings.policy.redaction.contact_data === 'keep_for_subjects',
    names: settings.redactedNames,
  };
  return (text) => redactText(text, options).value;
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
