import { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import type { CaptureResult } from '../../contracts/messages';
import { type Recorder, settledOf } from './recorder';

/** Below the activity's own 10 s, so that what fails is known by its code. */
const TIMEOUT_MS = 8_000;

/** Temporal tries again, so the client does not. */
export function runtimeClient(url: string, key: string): CairnClient {
  return new CairnClient({ url, key, timeoutMs: TIMEOUT_MS, retries: 0 });
}

export function httpRecorder(client: CairnClient): Recorder {
  return {
    async record(event, holdMs) {
      const handle = await client.capture(event, { startAfterMs: holdMs });
      return {
        event_id: handle.eventId,
        operation_id: handle.operationId,
        // `capture/<workspace>/<event>`
        workspace: handle.workflowId.split('/')[1] ?? '',
        workflow_id: handle.workflowId,
        status: handle.status,
        disposition: handle.disposition,
        card_id: handle.cardId,
      };
    },

    async settled({ operation_id }, deadlineMs, signal) {
      try {
        const operation = await client.operations.wait(operation_id, { deadlineMs, signal });
        return settledOf(operation.result as Partial<CaptureResult> | null);
      } catch (error) {
        if (error instanceof CairnError && error.code === 'deadline') return null;
        throw error;
      }
    },

    close: async () => {},
  };
}
