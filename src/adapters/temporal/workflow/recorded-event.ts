import type {
  Captured,
  EventRecorded,
  RuntimeMemoryActivities,
} from '../../../contracts/runtime-memory';
import { type CaptureChild, childEnding } from './capture-child';

/** An event that is durable; its capture runs, or will. */
export class RecordedEvent {
  constructor(
    readonly event: EventRecorded,
    private readonly child: CaptureChild | null,
    private readonly looks: Pick<RuntimeMemoryActivities, 'cairnAwaitCapture'>,
  ) {}

  /**
   * Waits for what became of it. Cancelling the workflow, or the scope, ends the waiting and not the capture.
   *
   * @example
   * const recorded = await memory.record(event);
   * const { disposition, card_id } = await recorded.result();
   */
  async result(): Promise<Captured> {
    const { event_id, operation_id, workspace, workflow_id } = this.event;
    const ids = { event_id, operation_id, workflow_id };
    const ending = this.child === null ? null : await childEnding(this.child);
    if (ending !== null) {
      const { disposition, reason, card_id, kind, sign } = ending;
      return { ...ids, disposition, reason, card_id, kind, sign };
    }
    return { ...ids, ...(await this.looks.cairnAwaitCapture({ workspace, operation_id })) };
  }
}
