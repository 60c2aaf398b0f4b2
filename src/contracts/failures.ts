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
  erasure_missing: { retryable: false },
} as const;
export type FailureType = keyof typeof FAILURES;

/**
 * The same of the activities in a runtime's own worker (docs/temporal-native.md), beside `store_unavailable` and
 * `internal_error`: an event that is not taken, by its code, and a call that is not allowed.
 */
export const RUNTIME_FAILURES = {
  invalid: { retryable: false },
  too_large: { retryable: false },
  agent_conflict: { retryable: false },
  pii_in_identifier: { retryable: false },
  secret_in_identifier: { retryable: false },
  stopped: { retryable: false },
  erased: { retryable: false },
  event_id_conflict: { retryable: false },
  unauthenticated: { retryable: false },
  not_allowed: { retryable: false },
  /** Any other answer that another try would be given too. */
  refused: { retryable: false },
  /** The worker knows no loader of this name, or no URL to recall from. */
  not_configured: { retryable: false },
  /** Cairn's API does not answer, or asks to come back. */
  cairn_away: { retryable: true },
  /** What makes the event of its reference failed; its own words are not passed on. */
  loader_failed: { retryable: true },
  /** The capture is under way: ask again. */
  capture_pending: { retryable: true },
} as const;
export type RuntimeFailureType = keyof typeof RUNTIME_FAILURES;

/** Those of them that another try would be given too. */
export type RuntimeRefusal = {
  [Type in RuntimeFailureType]: (typeof RUNTIME_FAILURES)[Type]['retryable'] extends false
    ? Type
    : never;
}[RuntimeFailureType];

export function isRuntimeRefusal(type: string): type is RuntimeRefusal {
  const known: Readonly<Record<string, { retryable: boolean }>> = RUNTIME_FAILURES;
  return Object.hasOwn(known, type) && known[type]?.retryable === false;
}
