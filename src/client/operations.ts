import type { Operation } from '../contracts/run';
import { CairnError } from './error';
import type { CallOptions, Transport } from './transport';
import { pause } from './waiting';

/** How long to wait for something that was started. */
export interface WaitOptions {
  /** Milliseconds, 60,000 by default; 0 looks once. */
  deadlineMs?: number;
  signal?: AbortSignal;
}

const DEADLINE_MS = 60_000;
/** A capture takes tens of milliseconds, a pass minutes: the pauses grow from one to the other. */
const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 1_000;

/** Handles of what was started in the background. */
export class Operations {
  constructor(private readonly transport: Transport) {}

  /**
   * The state, the result and the workflow of something that was started.
   *
   * @throws {CairnError} 404 where this key may not see it
   * @example
   * const { state } = await client.operations.get(handle.operationId);
   */
  async get(id: string, options: CallOptions = {}): Promise<Operation> {
    return await this.transport.call<Operation>(
      `/v1/operations/${encodeURIComponent(id)}`,
      options,
    );
  }

  /**
   * Waits until it is completed, failed or cancelled.
   *
   * @throws {CairnError} `deadline` when it is not by then; the operation goes on
   * @example
   * const { operation_id } = await client.request('POST', '/v1/runs/retention', { body: {} });
   * const operation = await client.operations.wait(operation_id, { deadlineMs: 300_000 });
   */
  async wait(id: string, options: WaitOptions = {}): Promise<Operation> {
    const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
    const until = Date.now() + deadlineMs;
    const call = options.signal ? { signal: options.signal } : {};
    for (let next = FIRST_PAUSE_MS; ; next = Math.min(LAST_PAUSE_MS, next * 2)) {
      const operation = await this.get(id, call);
      if (operation.state !== 'pending' && operation.state !== 'running') return operation;
      const left = until - Date.now();
      if (left <= 0) {
        throw new CairnError(
          0,
          'deadline',
          `operation ${id} is still ${operation.state} after ${deadlineMs} ms`,
        );
      }
      await pause(Math.min(next, left), options.signal);
    }
  }

  /**
   * Waits, and answers with the result alone.
   *
   * @throws {CairnError} `deadline`, or `operation_failed` with the operation's reason code
   * @example
   * const record = await client.operations.result<CaptureResult>(handle.operationId);
   */
  async result<T>(id: string, options: WaitOptions = {}): Promise<T> {
    const operation = await this.wait(id, options);
    if (operation.state === 'completed') return operation.result as T;
    const reason = operation.error ?? operation.state;
    throw new CairnError(0, 'operation_failed', `operation ${id} ${operation.state}: ${reason}`, {
      operation,
    });
  }
}
