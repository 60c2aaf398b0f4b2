import type { SettledEvent } from '../../../src/contracts/event';

const DAY_START = Date.parse('2026-03-02T08:00:00Z');
const AGENTS = ['scout', 'courier'] as const;

/**
 * The n-th event of a run: calls that worked and failed on steps that are alike, delegations that are
 * counted, observations, and every seventh a twin, the work of the event before it under another id.
 */
export function eventOf(n: number): SettledEvent {
  const { event_id: _id, ...content } = n % 7 === 6 ? contentOf(n - 1) : contentOf(n);
  return { event_id: `event-${n}`, ...content };
}

/** How many of the first `count` events repeat the work of another. */
export function isTwin(n: number): boolean {
  return n % 7 === 6;
}

function contentOf(n: number): SettledEvent {
  const base = {
    event_id: '',
    agent: AGENTS[n % 2] ?? AGENTS[0],
    team: 'post',
    occurred_at: new Date(DAY_START + n * 1_000).toISOString(),
  };
  switch (n % 5) {
    case 0:
      return {
        ...base,
        kind: 'service_call',
        service: 'mailer',
        operation: 'send',
        outcome: 'worked',
        input: { list: `readers-${n}`, batch: n % 13 },
        output: { accepted: n },
      };
    case 1:
      return {
        ...base,
        kind: 'service_call',
        service: 'mailer',
        operation: 'send',
        outcome: 'failed',
        input: { list: `readers-${n - 1}`, batch: n % 13 },
        error: `list readers-${n - 1} not found`,
      };
    case 2:
      return {
        ...base,
        kind: 'delegation',
        outcome: n % 3 === 0 ? 'failed' : 'worked',
        task_type: `errand-${n % 4}`,
        text: `Fetch parcel ${n} from depot ${n % 9} before noon.`,
        delegate: { agent: 'courier', cost: 1, duration_ms: 1_000 },
      };
    case 3:
      return {
        ...base,
        kind: 'workflow_step',
        outcome: n % 2 === 0 ? 'worked' : 'failed',
        workflow_step: { workflow: 'nightly', step: `step-${n % 3}` },
        text: `Sorted tray ${n} of the nightly mail.`,
        ...(n % 2 === 0 ? {} : { error: `tray ${n} was empty` }),
      };
    default:
      return {
        ...base,
        kind: 'observation',
        outcome: 'neutral',
        text: `Depot ${n} closes its north gate at ${n % 24} o'clock.`,
      };
  }
}
