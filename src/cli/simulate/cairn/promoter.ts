import type { CairnClient } from '../../../client/client';
import { CairnError } from '../../../client/error';
import type { SettledEvent } from '../../../contracts/event';
import type { Fleet } from './fleet';
import { type Lesson, lessons } from './lessons';
import { inTurns } from './turns';

/** Answers by which a card is not to be promoted: it is out of use, there already, or out of the agent's sight. */
const SETTLED = new Set([404, 409]);
const PURPOSE = 'a lesson that a task has proven';

/**
 * The runtime's part in sharing: what a task has proven, it asks to be shown to the agent's team, and where both
 * teams have called the operation, to the workspace. What waits for the second team follows once that calls it.
 * With `grants` it shows it to the agent's team mates at once, as an agent may, and does not wait for a person.
 */
export function promoter(fleet: Fleet, { grants }: { grants: boolean }) {
  const heard = lessons();
  const callers = new Map<string, Set<string>>();
  /** Asked for one team: on this day, and before. */
  const fresh: { operation: string; card: string }[] = [];
  let teamOnly: typeof fresh = [];
  const counts = { asked: 0, declined: 0, granted: 0 };

  const ask = async (by: CairnClient, card: string, team: string | null): Promise<void> => {
    const scope =
      team === null
        ? { type: 'workspace' as const, id: fleet.workspace }
        : { type: 'team' as const, id: team };
    try {
      await by.cards.promote(card, { scope });
      counts.asked += 1;
    } catch (error) {
      if (!(error instanceof CairnError) || !SETTLED.has(error.status)) throw error;
      counts.declined += 1;
    }
  };

  const matesOf = (agent: string, team: string) =>
    fleet.agents.filter((one) => one.team === team && one.agent !== agent);

  const grant = async (
    by: CairnClient,
    cards: readonly string[],
    mates: readonly { agent: string }[],
  ): Promise<void> => {
    const pairs = cards.flatMap((card) => mates.map((mate) => ({ card, mate: mate.agent })));
    await inTurns(pairs, async ({ card, mate }) => {
      try {
        await by.request('PUT', `/v1/cards/${card}/grants/${mate}`, { body: { purpose: PURPOSE } });
        counts.granted += 1;
      } catch (error) {
        if (!(error instanceof CairnError) || !SETTLED.has(error.status)) throw error;
        counts.declined += 1;
      }
    });
  };

  const share = async ({ agent, team, operation, cards }: Lesson): Promise<void> => {
    const both = (callers.get(operation)?.size ?? 0) > 1;
    const speaker = fleet.runtime.with({ agent });
    if (grants) await grant(speaker, cards, matesOf(agent, team));
    await inTurns(cards, (card) => ask(speaker, card, both ? null : team));
    if (!both) fresh.push(...cards.map((card) => ({ operation, card })));
  };

  return {
    counts,
    async hear(event: SettledEvent, card: string): Promise<void> {
      const { operation = '', team = '' } = event;
      callers.set(operation, (callers.get(operation) ?? new Set()).add(team));
      const lesson = heard.hear(event, card);
      if (lesson !== null) await share(lesson);
    },
    /**
     * In the evening: what went to one team on an earlier day and belongs to both by now. It is no agent's any
     * more, so a person asks.
     */
    async widen(): Promise<void> {
      const isBoth = ({ operation }: { operation: string }) =>
        (callers.get(operation)?.size ?? 0) > 1;
      await inTurns(teamOnly.filter(isBoth), ({ card }) => ask(fleet.owner, card, null));
      teamOnly = [...teamOnly.filter((one) => !isBoth(one)), ...fresh.splice(0)];
    },
  };
}
