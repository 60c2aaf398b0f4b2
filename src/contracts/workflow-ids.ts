/** Every workflow id is built here: a business key, so that the same work is the same workflow. */

/** `eventPart` is intake's: the caller's event id, or `~` and its keyed hash (design §6). */
export function captureWorkflowId(workspace: string, eventPart: string): string {
  return `capture/${workspace}/${eventPart}`;
}

export function embedWorkflowId(workspace: string): string {
  return `embed/${workspace}/late`;
}

/** One a workspace: of two at a time each would pay for the same cards. */
export function redistillWorkflowId(workspace: string): string {
  return `redistill/${workspace}/late`;
}

/** One a workspace and model. `modelPart` is the model's id, or `~` and its hash where it would not do as a part. */
export function reembedWorkflowId(workspace: string, modelPart: string): string {
  return `reembed/${workspace}/${modelPart}`;
}

/**
 * `part`: the number of the block that is next, or the id of the operation of somebody who asked. More than
 * one at a time does no harm.
 */
export function sealWorkflowId(workspace: string, part: string): string {
  return `seal/${workspace}/${part}`;
}

export function proposalWorkflowId(workspace: string, proposalId: string): string {
  return `proposal/${workspace}/${proposalId}`;
}

/**
 * One sweep for all workspaces: it costs a workspace a few indexed reads, and a Schedule for each of
 * thousands would cost more than what it looks for. Temporal adds the time to each run's id.
 */
export function sweepWorkflowId(): string {
  return 'sweep/all';
}

/** The Schedule that starts the sweeps. */
export function sweepScheduleId(): string {
  return 'sweep/all';
}

/** The row of `runs` of a pass: made of its first run, so that a pass that continues as new stays one. */
export function passOperationId(firstRunId: string): string {
  return `op_${firstRunId.replaceAll('-', '')}`;
}

/** The words of design §6 for the units of a pass. */
const UNIT_VERB = {
  consolidation: 'consolidate',
  reflection: 'reflect',
  recalibration: 'recalibrate',
  retention: 'retain',
} as const;

/**
 * One unit of a pass. `scopePart` is the scope as `type:id`, or `~` and its hash where it would not do as a part;
 * of the whole workspace null. A further one of the same day has a number; reflections have only that.
 */
export function unitWorkflowId(
  type: keyof typeof UNIT_VERB,
  workspace: string,
  { scopePart, day, number }: { scopePart: string | null; day: string; number: number },
): string {
  const place = `${UNIT_VERB[type]}/${workspace}${scopePart === null ? '' : `/${scopePart}`}`;
  if (type === 'reflection') return `${place}/${number}`;
  return `${place}/${day}${number === 1 ? '' : `/${number}`}`;
}

/** A pass over a workspace that somebody asked for. */
export function passWorkflowId(workspace: string, type: string, operationId: string): string {
  return `pass/${workspace}/${type}/${operationId}`;
}

/** The Schedule of a pass, and the ids of what it starts, to which Temporal adds the time. */
export function passScheduleId(workspace: string, type: string): string {
  return `night/${workspace}/${type}`;
}

/** `taskPart` is the task, or `~` and its hash where it would not do as a part. */
export function learnWorkflowId(workspace: string, taskPart: string): string {
  return `learn/${workspace}/${taskPart}`;
}

/**
 * One compaction of a conversation. `conversationPart` is its id, or `~` and its hash where it would not do as a part;
 * `n` counts the compactions of that conversation.
 */
export function compactWorkflowId(workspace: string, conversationPart: string, n: number): string {
  return `compact/${workspace}/${conversationPart}/${n}`;
}

/** The follow-up of one insight: one workflow, however many of its actions were taken. */
export function insightWorkflowId(workspace: string, insightId: string): string {
  return `insight/${workspace}/${insightId}`;
}

/** One taking of an export into a workspace. */
export function importWorkflowId(workspace: string, operationId: string): string {
  return `import/${workspace}/${operationId}`;
}

/** Redaction after the fact; `n` counts the rescans of the workspace. */
export function rescanWorkflowId(workspace: string, n: number): string {
  return `rescan/${workspace}/${n}`;
}

/** One erasure, by its id, which is ours. */
export function eraseWorkflowId(workspace: string, erasureId: string): string {
  return `erase/${workspace}/${erasureId}`;
}
