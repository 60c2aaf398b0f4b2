import { performance } from 'node:perf_hooks';
import { activityInfo } from '@temporalio/activity';
import type { Clock } from '../contracts/clock';
import type { Admission, CaptureResult, DistillResult } from '../contracts/messages';
import type { DistilledBy } from '../contracts/names';
import { distill } from '../domain/distill/distill';
import type { Embedder } from '../models/embedder';
import { admitEvent } from '../store/admission';
import { settleCapture } from '../store/captures';
import type { Database } from '../store/database';
import { readEventToDistill, saveDraft } from '../store/drafts';
import {
  type Filing,
  fileDraft,
  lostToTwin,
  readDraftToFile,
  readSettled,
  settleAsTwin,
} from '../store/filing';
import { linkConcurrent } from '../store/filing-concurrent';
import { readSettings } from '../store/settings';
import { embedWithin } from './embedding';
import { permanent } from './failure';

export interface CaptureDependencies {
  database: Database;
  clock: Clock;
  embedder: Embedder;
  /** Whether a language model is configured: says who distills. */
  distiller: DistilledBy;
}

interface EventKey {
  workspace: string;
  event_id: string;
}

/** Local steps report their time, so that the workflow can stay within one task. */
export interface Timed<Result> {
  result: Result;
  took_ms: number;
}

/** A card is filed without its vector rather than late; what comes late is the `embed` workflow's. */
const EMBEDDING_DEADLINE_MS = 2_000;

export interface CaptureActivities {
  admit(key: EventKey): Promise<Timed<Admission>>;
  distillByRules(key: EventKey): Promise<Timed<DistillResult>>;
  fileCard(
    key: EventKey & { operation_id: string; distilled_by: DistilledBy },
  ): Promise<Timed<CaptureResult>>;
  /** Settles a capture whose steps failed for good; one that was settled meanwhile keeps its record. */
  giveUp(key: EventKey & { reason: string }): Promise<Timed<CaptureResult>>;
}

export function createCaptureActivities(deps: CaptureDependencies): CaptureActivities {
  const { database, clock } = deps;
  return {
    admit: (key) =>
      timed(() =>
        database.inWorkspace(key.workspace, (tx) =>
          admitEvent(tx, {
            eventId: key.event_id,
            distiller: deps.distiller,
            runId: activityInfo().workflowExecution?.runId ?? null,
            now: clock(),
          }),
        ),
      ),

    distillByRules: (key) =>
      timed(() =>
        database.inWorkspace(key.workspace, async (tx) => {
          const found = await readEventToDistill(tx, key.event_id);
          if (found === null) throw permanent('event_missing');
          const draft = distill(found.event, found.ownWarnings);
          await saveDraft(tx, key.event_id, draft, clock());
          return {
            kind: draft.kind,
            sign: draft.sign,
            distilled_by: draft.distilled_by,
            own_warnings: draft.derived_from.length,
          };
        }),
      ),

    giveUp: (key) =>
      timed(() =>
        database.inWorkspace(key.workspace, async (tx) => {
          await settleCapture(tx, {
            eventId: key.event_id,
            disposition: 'failed',
            reason: key.reason,
            now: clock(),
          });
          const settled = await readSettled(tx, key.event_id);
          if (settled === null) throw permanent('event_missing');
          return settled;
        }),
      ),

    fileCard: (key) =>
      timed(async () => {
        // A try whose commit was not heard of has settled the capture and taken its draft away.
        const { settled, toFile } = await database.inWorkspace(key.workspace, async (tx) => {
          const record = await readSettled(tx, key.event_id);
          return {
            settled: record,
            toFile: record === null ? await readDraftToFile(tx, key.event_id) : null,
          };
        });
        if (settled !== null) return settled;
        if (toFile === null) throw permanent('draft_missing');
        const vector = await embedWithin(deps.embedder, toFile.embeddedText, EMBEDDING_DEADLINE_MS);
        const info = activityInfo();
        const filing: Filing = {
          toFile,
          operationId: key.operation_id,
          vector,
          embedder: { id: deps.embedder.id, dims: deps.embedder.dims },
          workflowId: info.workflowExecution?.workflowId ?? null,
          runId: info.workflowExecution?.runId ?? null,
          now: clock(),
        };
        try {
          const filed = await database.inWorkspace(key.workspace, (tx) => fileDraft(tx, filing));
          return database.isOneSession
            ? filed
            : await withConcurrent(database, key.workspace, filed, clock());
        } catch (error) {
          if (!lostToTwin(error)) throw error;
          return await database.inWorkspace(key.workspace, (tx) => settleAsTwin(tx, filing));
        }
      }),
  };
}

/** The record, with the edges that a card filed at the same moment was missing. */
async function withConcurrent(
  database: Database,
  workspace: string,
  filed: CaptureResult,
  now: Date,
): Promise<CaptureResult> {
  const { card_id: cardId } = filed;
  if (cardId === null) return filed;
  const missed = await database.inWorkspace(workspace, async (tx) => {
    const settings = await readSettings(tx);
    return settings === null ? [] : linkConcurrent(tx, cardId, settings.policy.link, now);
  });
  const edges = missed.map((edge) => ({
    id: edge.id,
    type: edge.type,
    to: edge.from_card === cardId ? edge.to_card : edge.from_card,
    confidence: edge.confidence,
  }));
  return { ...filed, edges: [...filed.edges, ...edges] };
}

async function timed<Result>(work: () => Promise<Result>): Promise<Timed<Result>> {
  const started = performance.now();
  const result = await work();
  return { result, took_ms: Math.round(performance.now() - started) };
}
