import type { CardScope } from '../contracts/card';
import type { RunType } from '../contracts/names';
import type { PassBudget, ScheduledPass } from '../contracts/passes';
import type { Page, Run, RunChangeLine, RunDetail, RunUndone } from '../contracts/run';
import type { Timeline } from '../contracts/timeline';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface PassOptions {
  /** One scope; left out: the whole workspace, scope by scope. */
  scope?: CardScope;
  /** Says what it would do, and does nothing. */
  dry_run?: boolean;
  budget?: PassBudget;
}

export interface RunFilters {
  type?: RunType;
  status?: Run['status'];
  /** The units of this run. */
  parent_id?: string;
  /** `type:id`, as in `team:support`. */
  scope?: string;
}

/** A request may undo for 20 seconds, and then says that there is more. */
const UNDO_TIMEOUT_MS = 60_000;

/** What changes memory on its own accord: started, watched, told something, taken back. */
export class Runs {
  constructor(private readonly transport: Transport) {}

  /**
   * Starts a pass.
   *
   * @returns its operation, which is its run too
   * @throws {CairnError} 404 for a scope that is not there
   * @example
   * const { operation_id } = await client.runs.start('consolidation', { dry_run: true });
   * await client.operations.wait(operation_id, { deadlineMs: 600_000 });
   * const { diff, drafts } = await client.runs.get(operation_id);
   */
  async start(
    type: ScheduledPass,
    options: PassOptions & CallOptions = {},
  ): Promise<{ operation_id: string }> {
    const { signal, timeoutMs, ...body } = options;
    return await this.transport.call(`/v1/runs/${type}`, {
      method: 'POST',
      body,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * Redacts everything durable as it would be redacted today: after a secret was found where the detectors of then did
   * not look. A dry run says how often each type was found where.
   *
   * @returns its operation, which is its run too
   * @example
   * const { operation_id } = await client.runs.rescan({ dry_run: true });
   * const { result } = await client.operations.wait(operation_id, { deadlineMs: 600_000 });
   */
  async rescan(
    options: { dry_run?: boolean } & CallOptions = {},
  ): Promise<{ operation_id: string }> {
    const { signal, timeoutMs, ...body } = options;
    return await this.transport.call('/v1/runs/rescan', {
      method: 'POST',
      body,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * Newest first.
   *
   * @example
   * const { items: units } = await client.runs.list({ parent_id: operation_id });
   */
  async list(filters: RunFilters & PageOptions & CallOptions = {}): Promise<Page<Run>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<Run>>('/v1/runs', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * One run, with the beginning of what it did, or in a dry run would do.
   *
   * @throws {CairnError} 404
   * @example
   * const { status, counts, diff } = await client.runs.get(operation_id);
   */
  async get(id: string, options: CallOptions = {}): Promise<RunDetail> {
    return await this.transport.call<RunDetail>(at(id), options);
  }

  /**
   * All that it and its units did, a page at a time.
   *
   * @example
   * for await (const line of client.runs.iterateChanges(id)) console.log(line.change, line.card_id);
   */
  iterateChanges(
    id: string,
    options: { limit?: number } & CallOptions = {},
  ): AsyncGenerator<RunChangeLine> {
    const { signal, timeoutMs, ...query } = options;
    return itemsOf((cursor) =>
      this.transport.call<Page<RunChangeLine>>(`${at(id)}/changes`, {
        query: { ...query, ...given({ cursor }) },
        ...given({ signal, timeoutMs }),
      }),
    );
  }

  /**
   * What a workflow did and waits for, step by step, as Temporal keeps it for some days after its end: ids and codes,
   * and no content.
   *
   * @param workflowId of a run, a card's provenance or a capture's handle
   * @throws {CairnError} 404 where there is none, or no longer; 503 while Temporal is away
   * @example
   * const { steps, ui } = await client.runs.timeline(run.workflow_id, { run_id: run.run_id });
   */
  async timeline(
    workflowId: string,
    options: { run_id?: string | null } & CallOptions = {},
  ): Promise<Timeline> {
    const { signal, timeoutMs, run_id } = options;
    return await this.transport.call<Timeline>('/v1/timeline', {
      query: { workflow_id: workflowId, ...given({ run_id: run_id ?? undefined }) },
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * Has it wait: what it has in hand it finishes.
   *
   * @throws {CairnError} 409 `run_ended`
   * @example
   * await client.runs.pause(operation_id);
   */
  async pause(id: string, options: CallOptions = {}): Promise<Run> {
    return await this.transport.call<Run>(`${at(id)}/pause`, { method: 'POST', ...options });
  }

  /**
   * @throws {CairnError} 409 `run_ended`
   * @example
   * await client.runs.resume(operation_id);
   */
  async resume(id: string, options: CallOptions = {}): Promise<Run> {
    return await this.transport.call<Run>(`${at(id)}/resume`, { method: 'POST', ...options });
  }

  /**
   * Ends it. What it did by then stays, and can be undone.
   *
   * @throws {CairnError} 409 `run_ended`
   * @example
   * await client.runs.cancel(operation_id);
   */
  async cancel(id: string, options: CallOptions = {}): Promise<Run> {
    return await this.transport.call<Run>(`${at(id)}/cancel`, { method: 'POST', ...options });
  }

  /**
   * Takes back what it and its units did, where nothing else has changed it since; however long that takes.
   *
   * @throws {CairnError} 409 `run_running`, `dry_run`
   * @example
   * const { undone, not_undone } = await client.runs.undo(operation_id);
   */
  async undo(id: string, options: CallOptions = {}): Promise<RunUndone> {
    for (;;) {
      const call = { method: 'POST' as const, timeoutMs: UNDO_TIMEOUT_MS, ...options };
      const undone = await this.transport.call<RunUndone>(`${at(id)}/undo`, call);
      if (undone.done) return undone;
    }
  }
}

function at(id: string): string {
  return `/v1/runs/${encodeURIComponent(id)}`;
}
