import { createHash } from 'node:crypto';
import { permanent } from '../../activities/failure';
import type { SettledEvent } from '../../contracts/event';
import type { EventDefaults, WorkflowEvent } from '../../contracts/runtime-memory';

/** Room for the rest of an event id, which has at most 200 characters. */
const LONGEST_PREFIX = 150;
const LONGEST_LABEL = 200;
const FITS_AN_ID = /^[A-Za-z0-9][A-Za-z0-9._:/@-]*$/;
const FITS_A_LABEL = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+$/u;

/** Which run of which workflow an activity belongs to. */
export interface Execution {
  workflowId: string;
  runId: string;
}

/**
 * The event as it is reported: its id is `<task>/<run>/<n>`, the same at each try and at each replay. The run is
 * in it, since a workflow that continues as new, or is started again under its id, counts from 1 again.
 *
 * @throws ApplicationFailure `invalid` where it is no event at all
 */
export function eventOf(
  event: WorkflowEvent,
  defaults: EventDefaults,
  { workflowId, runId }: Execution,
): SettledEvent {
  requireEvent(event);
  const task = event.task ?? defaults.task ?? labelOf(workflowId);
  const { project } = defaults;
  return {
    event_id: `${idOf(task)}/${runId.slice(0, 8)}/${defaults.n}`,
    agent: defaults.agent,
    occurred_at: defaults.occurred_at,
    task,
    session: sessionOf(defaults.session, workflowId),
    ...(project === undefined ? {} : { project }),
    ...event,
  };
}

/**
 * A row that is gone, or a variable that was never set: no try of it makes an event.
 *
 * @throws ApplicationFailure `invalid`
 */
export function requireEvent(event: unknown): void {
  const isEvent = typeof event === 'object' && event !== null && !Array.isArray(event);
  const { task } = isEvent ? (event as { task?: unknown }) : {};
  // Of what else is wrong with it the intake says where; an id is made of its task.
  if (!isEvent || (task != null && typeof task !== 'string')) throw permanent('invalid');
}

/** The same for events and recalls, so that they meet in one session. */
export function sessionOf(session: string | undefined, workflowId: string): string {
  return session ?? labelOf(workflowId);
}

/** A workflow's id may be longer than a label, and hold anything. */
function labelOf(text: string): string {
  return text.length <= LONGEST_LABEL && FITS_A_LABEL.test(text) ? text : shortened(text);
}

function idOf(text: string): string {
  return text.length <= LONGEST_PREFIX && FITS_AN_ID.test(text) ? text : shortened(text);
}

function shortened(text: string): string {
  return `w-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}
