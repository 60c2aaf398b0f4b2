export interface CompetenceRecord {
  agent: string;
  task_type: string;
  attempts: number;
  /** Outcome `worked`. */
  completed: number;
  completion_rate: number;
  /** Wilson, 95 %. */
  lower_bound: number;
  /** The same as it counts today: a hundredth less for each day since `last_at`. */
  lower_bound_now: number;
  cost_total: number;
  cost_mean: number | null;
  /** Milliseconds. */
  duration_ms_mean: number | null;
  last_at: string;
  card_id: string | null;
}
