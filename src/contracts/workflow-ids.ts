/** Every workflow id is built here: a business key, so that the same work is the same workflow. */

/** `eventPart` is intake's: the caller's event id, or `~` and its keyed hash (design §6). */
export function captureWorkflowId(workspace: string, eventPart: string): string {
  return `capture/${workspace}/${eventPart}`;
}

export function embedWorkflowId(workspace: string): string {
  return `embed/${workspace}/late`;
}
