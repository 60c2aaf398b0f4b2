/** RFC 3339. In the sandbox `Date.now` is the time of the workflow's task, which a replay finds again. */
export function workflowTime(): string {
  return new Date(Date.now()).toISOString();
}
