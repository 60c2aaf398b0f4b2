/**
 * The closed list of failure types that cross Temporal, and whether a retry can help.
 * Non-retryable is decided here and nowhere else. Messages are these codes, never content.
 */
export const FAILURES = {
  /** The database said no in a way that another try may mend. */
  store_unavailable: { retryable: true },
  /** A fault of ours, or a value that nothing can hold: a few tries, then the capture says so and ends. */
  internal_error: { retryable: true },
  /** 429, or 402 where the balance is spent: the provider may name when to come back. */
  model_rate_limited: { retryable: true },
  model_unavailable: { retryable: true },
  model_timeout: { retryable: true },
  /** The answer did not fit the schema even after its one repair. */
  model_invalid_output: { retryable: true },
  /** 4xx: the request itself is refused. */
  model_refused: { retryable: false },
  /** None, or one that refuses every request: 401, 403 (the key), 404 (the model or the address). */
  model_not_configured: { retryable: false },
  /** Vectors of another model are asked for than this worker's embedder makes; another worker may have it. */
  embedder_elsewhere: { retryable: true },
  event_missing: { retryable: false },
  draft_missing: { retryable: false },
  proposal_missing: { retryable: false },
} as const;
export type FailureType = keyof typeof FAILURES;
