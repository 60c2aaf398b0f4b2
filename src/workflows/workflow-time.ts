/**
 * The time of the workflow, RFC 3339: the sandbox gives `Date.now` that of the task, which a replay finds again
 * and time skipping moves. Activities are told it.
 */
export function workflowTime(): string {
  return new Date(Date.now()).toISOString();
}

/** Milliseconds until then, none where it has passed. */
export function untilTime(time: string): number {
  return Math.max(0, Date.parse(time) - Date.now());
}
