import type { SettledEvent } from '../../contracts/event';
import type { CaptureSettled, EventRecorded } from '../../contracts/runtime-memory';

/** How a worker reaches Cairn's one way in: over HTTP, or with intake in this process on the same Postgres. */
export interface Recorder {
  /**
   * @param holdMs for how long the outbox leaves the capture to the workflow
   * @throws CairnError the event is refused, or nothing answers; whatever Postgres says where it is away
   */
  record(event: SettledEvent, holdMs: number): Promise<Omit<EventRecorded, 'start'>>;
  /** @returns null where it is not settled after `waitMs` */
  settled(
    operation: OperationId,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<CaptureSettled | null>;
  close(): Promise<void>;
}

export interface OperationId {
  workspace: string;
  operation_id: string;
}

/** What of an operation's result is told to a workflow: no edges, whose other ends have readers of their own. */
export function settledOf(result: Partial<CaptureSettled> | null): CaptureSettled {
  return {
    disposition: result?.disposition ?? 'failed',
    reason: result?.reason ?? null,
    card_id: result?.card_id ?? null,
    kind: result?.kind ?? null,
    sign: result?.sign ?? null,
  };
}
