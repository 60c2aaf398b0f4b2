import type { JsonObject } from './event';
import type { OperationState } from './names';

/** An operation is a run's handle: the same id works on both. */
export interface Operation {
  id: string;
  type: string;
  state: OperationState;
  result: JsonObject | null;
  error: string | null;
  workflow_id: string;
  run_id: string | null;
  started_at: string | null;
  finished_at: string | null;
}

export interface Run {
  id: string;
  type: string;
  scope: { type: string; id: string } | null;
  status: 'running' | 'completed' | 'partial' | 'failed';
  counts: JsonObject;
  cost: number;
  workflow_id: string;
  run_id: string | null;
  started_at: string | null;
  finished_at: string | null;
}

/** Every list answers so. `total` is exact to 10,000; beyond it `total_capped` is true. */
export interface Page<T> {
  items: T[];
  next_cursor: string | null;
  total: number;
  total_capped?: boolean;
}
