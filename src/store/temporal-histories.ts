import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { SearchedPlace } from '../contracts/erasure';
import { WORKFLOW_TYPES } from '../contracts/names';
import type { TermSearch } from './term-search';

/** Histories fetched at a time: each waits for the network, and the server has others to serve. */
const AT_ONCE = 8;
/** Temporal deletes when it comes to it; the wait for all of them. */
const GONE_WITHIN_MS = 60_000;
const LOOK_MS = 200;
/** Of these the last parts of an id name something of a caller's: an event, a task, a conversation, a scope. */
const NAMING_VERBS = ['capture', 'learn', 'compact', 'consolidate', 'reflect'];
const NOT_FOUND = 5;
const PLACE = 'temporal histories';

interface Execution {
  workflowId: string;
  runId: string;
  isRunning: boolean;
}

/** What looking through them came to. */
export interface LookedThrough {
  place: SearchedPlace;
  /** Ids of workflows that were deleted since they name what is erased: Temporal's tasks may still. */
  deleted: string[];
}

export interface WhatToForget {
  search: TermSearch;
  /** Executions that are named by one of these are deleted, running ones too. */
  ids: ReadonlySet<string>;
  onProgress: () => void;
}

/** What Temporal keeps of our workflows: one of the durable places. Histories hold ids and codes by design. */
export class TemporalHistories {
  constructor(private readonly client: Client) {}

  /** Looks through ids, attributes, memos and whole histories of a workspace's executions, closed ones too. */
  async search(
    workspace: string,
    search: TermSearch,
    onProgress: () => void,
  ): Promise<SearchedPlace> {
    const executions = await this.executions(workspace);
    const holding = await this.holding(executions, search, onProgress);
    return { place: PLACE, searched: executions.length, found: holding.length };
  }

  /**
   * The same, and deletes what names it: executions that are named by an id, and closed ones whose history holds a
   * term, as a night's fan-out does that listed an agent. Waits until they are gone. A running one that holds a term
   * is left, and found; it ends and is found no more, or is looked at.
   */
  async forget(
    workspace: string,
    { search, ids, onProgress }: WhatToForget,
  ): Promise<LookedThrough> {
    const executions = await this.executions(workspace);
    const named = executions.filter(({ workflowId }) => isNamedBy(workflowId, ids));
    const others = executions.filter((execution) => !named.includes(execution));
    const holding = await this.holding(others, search, onProgress);
    const closed = holding.filter(({ isRunning }) => !isRunning);
    const left = await this.delete([...named, ...closed], onProgress);
    return {
      place: {
        place: PLACE,
        searched: executions.length,
        found: holding.length - closed.length + left,
      },
      deleted: [...new Set(named.map(({ workflowId }) => workflowId))],
    };
  }

  private async executions(workspace: string): Promise<Execution[]> {
    const types = WORKFLOW_TYPES.map((type) => `"${type}"`).join(', ');
    const found: Execution[] = [];
    for await (const { workflowId, runId, status } of this.client.workflow.list({
      query: `WorkflowType IN (${types})`,
    })) {
      if (workflowId.split('/')[1] === workspace) {
        found.push({ workflowId, runId, isRunning: status.name === 'RUNNING' });
      }
    }
    return found;
  }

  private async holding(
    executions: readonly Execution[],
    search: TermSearch,
    onProgress: () => void,
  ): Promise<Execution[]> {
    const found: Execution[] = [];
    const waiting = [...executions];
    const walk = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (await this.holds(next, search)) found.push(next);
        onProgress();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, walk));
    return found;
  }

  private async holds({ workflowId, runId }: Execution, search: TermSearch): Promise<boolean> {
    const handle = this.client.workflow.getHandle(workflowId, runId);
    try {
      const [history, { raw }] = await Promise.all([handle.fetchHistory(), handle.describe()]);
      return search.inBytes(bytesOf([history, raw])).size > 0;
    } catch (error) {
      // It came to the end of its retention meanwhile.
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  /** @returns how many Temporal still had after a minute */
  private async delete(doomed: readonly Execution[], onProgress: () => void): Promise<number> {
    for (const { workflowId, runId } of doomed) {
      onProgress();
      await this.client.workflowService
        .deleteWorkflowExecution({
          namespace: this.client.options.namespace,
          workflowExecution: { workflowId, runId },
        })
        .catch(orGone);
    }
    const deadline = Date.now() + GONE_WITHIN_MS;
    let left = doomed;
    while (left.length > 0 && Date.now() < deadline) {
      await sleep(LOOK_MS);
      onProgress();
      const there = await Promise.all(left.map((execution) => this.isThere(execution)));
      left = left.filter((_, at) => there[at]);
    }
    return left.length;
  }

  private async isThere({ workflowId, runId }: Execution): Promise<boolean> {
    try {
      await this.client.workflow.getHandle(workflowId, runId).describe();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}

/** `capture/acme/call-1` by `call-1`, `consolidate/acme/agent:scout/2026-03-01` by `scout`. */
function isNamedBy(workflowId: string, ids: ReadonlySet<string>): boolean {
  const [verb = '', , ...parts] = workflowId.split('/');
  if (!NAMING_VERBS.includes(verb)) return false;
  return parts.some((part) => ids.has(part) || ids.has(part.replace(/^(?:agent|team):/, '')));
}

function orGone(error: unknown): void {
  if ((error as { code?: unknown }).code !== NOT_FOUND) throw error;
}

/** Every string and every payload, as the bytes that they hold. */
function bytesOf(value: unknown): Buffer {
  const parts: Uint8Array[] = [];
  const walk = (one: unknown): void => {
    if (typeof one === 'string') parts.push(Buffer.from(`${one}\n`));
    else if (one instanceof Uint8Array) parts.push(one, Buffer.from('\n'));
    else if (typeof one === 'object' && one !== null) {
      for (const [key, held] of Object.entries(one)) {
        walk(key);
        walk(held);
      }
    }
  };
  walk(value);
  return Buffer.concat(parts);
}
