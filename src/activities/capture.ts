import { activityInfo } from '@temporalio/activity';
import type { CardDraft } from '../contracts/card';
import type { Clock } from '../contracts/clock';
import type {
  Admission,
  CapturedAtOnce,
  CaptureInput,
  CaptureResult,
  DistillResult,
} from '../contracts/messages';
import type { DistilledBy } from '../contracts/names';
import { distill } from '../domain/distill/distill';
import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import { settleCapture } from '../store/captures';
import { settleByCards } from '../store/card-writes-settled';
import type { Database } from '../store/database';
import {
  draftToFile,
  type Filing,
  fileDraft,
  lostToItself,
  lostToTwin,
  recordOf,
  settleAsTwin,
  withoutCard,
} from '../store/filing';
import {
  type FoundCapture,
  markRunning,
  nameRun,
  type Refusal,
  readCapture,
  refusalOf,
} from '../store/filing-admission';
import { completeConcurrent } from '../store/filing-concurrent';
import { embedWithin } from './embedding';
import { permanent } from './failure';

export interface CaptureDependencies {
  database: Database;
  clock: Clock;
  embedder: Embedder;
  /** Whether a language model is configured: says who distills. */
  distiller: DistilledBy;
}

/** A card is filed without its vector rather than late; what comes late is the `embed` workflow's. */
const EMBEDDING_DEADLINE_MS = 2_000;

export interface CaptureActivities {
  /**
   * Admits; and where no model is to distill, distills by the rules and files too: what shares a fate is
   * one step. With `stand_in` the rules distill whatever is configured, a model having failed.
   */
  captureAtOnce(input: CaptureInput & { stand_in: boolean }): Promise<CapturedAtOnce>;
  /** Files what a model left. */
  fileCard(input: CaptureInput): Promise<CaptureResult>;
  /** Settles a capture whose steps failed for good; one that was settled meanwhile keeps its record. */
  giveUp(input: CaptureInput & { reason: string }): Promise<CaptureResult>;
}

export function createCaptureActivities(deps: CaptureDependencies): CaptureActivities {
  const { database, clock } = deps;

  const refuse = async (
    input: CaptureInput,
    { disposition, reason }: Refusal,
  ): Promise<CaptureResult> => {
    await database.inWorkspace(input.workspace, (tx) =>
      settleCapture(tx, {
        eventId: input.event_id,
        disposition,
        reason,
        runId: runId(),
        now: clock(),
      }),
    );
    return withoutCard(input.event_id, input.operation_id, disposition, reason);
  };

  /** A try whose commit was not heard of, or the edge, has settled it. */
  const settledBefore = async (
    input: CaptureInput,
    record: CaptureResult,
  ): Promise<CaptureResult> => {
    if (record.disposition !== 'carded') {
      await database.inWorkspace(input.workspace, (tx) =>
        nameRun(tx, record.operation_id, runId()),
      );
    }
    return record;
  };

  const file = async (
    input: CaptureInput,
    found: FoundCapture,
    draft: CardDraft,
  ): Promise<CaptureResult> => {
    const toFile = draftToFile(found, draft);
    if (toFile === null) throw permanent('event_missing');
    const vector = await embedWithin(deps.embedder, toFile.embeddedText, EMBEDDING_DEADLINE_MS);
    const filing: Filing = {
      toFile,
      operationId: input.operation_id,
      vector,
      embedder: { id: deps.embedder.id, makesVectors: makesVectors(deps.embedder) },
      workflowId: activityInfo().workflowExecution?.workflowId ?? null,
      runId: runId(),
      now: clock(),
    };
    try {
      const filed = await database.inWorkspace(
        input.workspace,
        (tx) => fileDraft(tx, filing),
        'once',
      );
      if (database.isOneSession) return filed.record;
      return await database.inWorkspace(
        input.workspace,
        (tx) => completeConcurrent(tx, filing, filed),
        'once',
      );
    } catch (error) {
      if (lostToTwin(error)) {
        return await database.inWorkspace(input.workspace, (tx) => settleAsTwin(tx, filing));
      }
      const record = lostToItself(error) ? await recordOfItself(input) : null;
      if (record === null) throw error;
      return record;
    }
  };

  /** Filed by another try, or come in with a file, which left the capture waiting. */
  const recordOfItself = async (input: CaptureInput): Promise<CaptureResult | null> => {
    await database.inWorkspace(input.workspace, (tx) =>
      settleByCards(tx, [input.event_id], clock()),
    );
    return await recordIn(input);
  };

  const recordIn = async (input: CaptureInput): Promise<CaptureResult | null> => {
    const found = await database.inWorkspace(input.workspace, (tx) =>
      readCapture(tx, input.event_id),
    );
    return found === null ? null : recordOf(input.event_id, found);
  };

  return {
    captureAtOnce: async (input) => {
      const { workspace, event_id } = input;
      const found = await database.inWorkspace(
        workspace,
        (tx) => readCapture(tx, event_id),
        'once',
      );
      if (found === null) {
        return notAdmitted(deps, gone(input));
      }
      const record = recordOf(event_id, found);
      if (record !== null) return notAdmitted(deps, await settledBefore(input, record));
      const refusal = refusalOf(found);
      if (refusal !== null) return notAdmitted(deps, await refuse(input, refusal));
      const distiller = input.stand_in ? 'fallback' : deps.distiller;
      const admission: Admission = { decision: 'admit', reason: null, card_id: null, distiller };
      if (distiller === 'model') {
        await database.inWorkspace(workspace, (tx) =>
          markRunning(tx, found.operationId, runId(), clock()),
        );
        return { admission, distilled: null, filed: null };
      }
      if (found.event === null) throw permanent('event_missing');
      const draft = distill(found.event, found.ownWarnings);
      const filed = await file(input, found, draft);
      return { admission, distilled: distilledOf(draft), filed };
    },

    fileCard: async (input) => {
      const found = await database.inWorkspace(input.workspace, (tx) =>
        readCapture(tx, input.event_id),
      );
      if (found === null) return gone(input);
      const record = recordOf(input.event_id, found);
      if (record !== null) return record;
      // The model took its time, and a person may have stopped the source or a card that it quotes.
      const refusal = refusalOf(found);
      if (refusal !== null) return await refuse(input, refusal);
      if (found.draft === null) throw permanent('draft_missing');
      return await file(input, found, draftOfNow(found, found.draft));
    },

    giveUp: ({ workspace, event_id, operation_id, reason }) =>
      database.inWorkspace(workspace, async (tx) => {
        const disposition = 'failed';
        await settleCapture(tx, {
          eventId: event_id,
          disposition,
          reason,
          runId: runId(),
          now: clock(),
        });
        const found = await readCapture(tx, event_id);
        if (found === null) return gone({ workspace, event_id, operation_id });
        const record = recordOf(event_id, found);
        if (record === null) throw permanent('event_missing');
        return record;
      }),
  };
}

/** Its event was erased before it had its card. */
function gone({ event_id, operation_id }: CaptureInput): CaptureResult {
  return withoutCard(event_id, operation_id, 'erased', 'event_missing');
}

/** A draft that quotes a warning which is no longer in use gives way to the rules, which quote none such. */
function draftOfNow(found: FoundCapture, draft: CardDraft): CardDraft {
  const isKnown = (id: string) => found.ownWarnings.some((own) => own.card_id === id);
  if (found.event === null || draft.derived_from.every(isKnown)) return draft;
  return distill(found.event, found.ownWarnings);
}

function notAdmitted(deps: CaptureDependencies, record: CaptureResult): CapturedAtOnce {
  const { disposition, reason, card_id } = record;
  if (disposition === 'pending') throw new Error('a settled capture is not pending');
  return {
    admission: { decision: disposition, reason, card_id, distiller: deps.distiller },
    distilled: null,
    filed: record,
  };
}

function distilledOf(draft: CardDraft): DistillResult {
  const { kind, sign, distilled_by, derived_from } = draft;
  return { kind, sign, distilled_by, own_warnings: derived_from.length };
}

function runId(): string | null {
  return activityInfo().workflowExecution?.runId ?? null;
}
