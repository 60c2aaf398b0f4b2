import type { Refused, SettledEvent } from '../contracts/event';
import type { AgentRow } from '../store/agents';
import type { Stopped } from '../store/sources';

/** Comes before anything is written for an event: what is stopped registers no agent and makes no team. */
export function stopFor(
  event: SettledEvent,
  agent: AgentRow | null,
  stopped: Stopped,
): Refused | null {
  const because = (pointer: string, what: string): Refused => ({
    code: 'stopped',
    pointer,
    detail: `a person stopped ${what}; what it sends is taken again once they lift it`,
  });
  if (agent?.writes_stopped === true) return because('/agent', "this agent's writes");
  if (stopped.runtime) return because('', 'the runtime whose key this is');
  if (event.service !== undefined && stopped.services.has(event.service)) {
    return because('/service', 'what comes from this service');
  }
  return null;
}
