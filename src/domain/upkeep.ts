/**
 * A pending capture this old counts as stuck. One takes well under a second, a minute where it waits for a
 * busy queue; one that waits for its model is counted apart.
 */
export const STUCK_AFTER_MS = 5 * 60_000;

/** A model has 15 minutes for its tries (`distillByModel`), and the stand-in writes the card after them. */
export const AT_MODEL_FOR_MS = 20 * 60_000;

/** Between two restarts of one capture: what is merely slow is not started over and over. */
export const RESTART_AGAIN_AFTER_MS = 10 * 60_000;

/** After a redistilling that found the model away. */
export const REDISTILL_AGAIN_AFTER_MS = 15 * 60_000;

/**
 * A sweep leaves a model alone that was cut over to more recently: a worker that is about to be replaced
 * sweeps too, and would begin to put its own embedder's vectors back.
 */
export const REEMBED_AGAIN_AFTER_MS = 15 * 60_000;

/** How long an `Idempotency-Key` answers the same: clients repeat a request for minutes, not for days. */
export const IDEMPOTENCY_KEPT_MS = 24 * 60 * 60_000;

/** A proposal's workflow begins within seconds of its row; one that has not by then is started once more. */
export const PROPOSAL_BEGINS_WITHIN_MS = 10 * 60_000;

/** How long after its time a proposal should have reminded of itself or been closed, or a watched fix have lapsed. */
export const PROPOSAL_MOVES_WITHIN_MS = 15 * 60_000;

/** A compaction takes seconds, with a slow model minutes; one that has not ended by then may be lost. */
export const COMPACTION_BEGINS_WITHIN_MS = 15 * 60_000;

/** Rows of the logs that are younger are not worth a block of their own: the next sweep comes in minutes. */
export const SEAL_AFTER_MS = 60_000;

/** How long after its time an action should have been measured, or its follow-up have begun after it was asked for. */
export const FOLLOW_UP_MOVES_WITHIN_MS = 15 * 60_000;
