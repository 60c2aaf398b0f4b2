import type { SettledEvent } from '../../src/contracts/event';

/** Days over which the work lies. */
const DAYS = 5;
const DAY_MS = 86_400_000;
/** Agents of one team. */
const A_TEAM = 10;

/**
 * As many events as asked for, of so many agents: the fleet's own, agent by agent and in their order, cut into equal
 * parts, and again under other names where it has too few. The work of each agent lies over five days before `now`.
 */
export function spread(
  events: readonly SettledEvent[],
  { count, agents, now }: { count: number; agents: number; now: Date },
): SettledEvent[] {
  const fleet = [...events].sort((a, b) => (a.agent < b.agent ? -1 : a.agent > b.agent ? 1 : 0));
  return Array.from({ length: count }, (_, n) => {
    const event = fleet[n % fleet.length];
    if (event === undefined) throw new Error('there are no events');
    const round = Math.floor(n / fleet.length);
    const renamed = (name: string): string => `${name}-${round}`;
    const part = (n * agents) / count;
    const agent = Math.floor(part);
    const at = now.getTime() - DAYS * DAY_MS * (1 - (part - agent));
    return {
      ...event,
      event_id: renamed(event.event_id),
      agent: `agent-${agent}`,
      team: `team-${Math.floor(agent / A_TEAM)}`,
      occurred_at: new Date(at).toISOString(),
      ...(event.parent_event === undefined ? {} : { parent_event: renamed(event.parent_event) }),
      ...(event.task === undefined ? {} : { task: renamed(event.task) }),
    };
  });
}
