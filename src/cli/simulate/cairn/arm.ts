import { CairnError } from '../../../client/error';
import type { SettledEvent } from '../../../contracts/event';
import type { CardStatus } from '../../../contracts/names';
import type { RecallAnswer } from '../../../contracts/recall';
import { queryOf } from '../query';
import { tokensOf } from '../tokens';
import type { MemoryArm } from '../world/arms';
import type { World } from '../world/build';
import { MEMORY_TOKENS } from '../world/frozen';
import { fixes } from './fixes';
import { setUp } from './fleet';
import { nights } from './nights';
import { promoter } from './promoter';
import { reviewer } from './reviewer';
import type { Stack } from './stack';

/** A card is about fifty tokens with its line: as many as the budget holds. */
const LIMIT = 20;
/** A capture takes tens of milliseconds; one that is not settled by then has failed. */
const WAIT_MS = 30_000;

/** Cairn, and what was done with it besides. */
export interface CairnArm extends MemoryArm {
  /** The card of an event; null while there is none. */
  cardOf(event: string): string | null;
  /** The last recall, with what was left out. */
  recalled(): RecallAnswer | null;
  /** The card's status where the agent may see it now; else null. */
  sight(agent: string, card: string): Promise<CardStatus | null>;
  /** What the people and the runtime did, and what was slower than the product allows. */
  notes(): Record<string, unknown>;
}

export interface CairnArmOptions {
  passes: boolean;
  /** The runtime shows what a task has proven to the agent's team mates at once. */
  grants: boolean;
  /** Recalls tell what they left out. */
  explain?: boolean;
}

/** The real thing: HTTP alone, by the world's clock. docs/simulation.md says what its people and runtime do. */
export async function cairn(
  stack: Stack,
  world: World,
  { passes, grants, explain = false }: CairnArmOptions,
): Promise<CairnArm> {
  const fleet = await setUp(stack, world, passes);
  const { runtime } = fleet;
  const cards = new Map<string, string>();
  const sharing = promoter(fleet, { grants });
  const deciding = reviewer(fleet);
  const fixing = fixes(fleet);
  const night = nights(fleet.owner, world);
  const counts = { recalls: 0, captures: 0, degraded: 0 };
  const dispositions: Record<string, number> = {};
  const seconds: Record<string, number> = {};
  const timed = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    const done = await work;
    seconds[name] = (seconds[name] ?? 0) + (performance.now() - started) / 1000;
    return done;
  };
  let last: RecallAnswer | null = null;

  const settled = async (event: SettledEvent) => {
    const handle = await runtime.capture(event, { waitMs: WAIT_MS });
    if (handle.disposition !== 'pending') {
      return { disposition: handle.disposition, card_id: handle.cardId };
    }
    return await handle.result();
  };

  return {
    name: 'cairn',
    cardOf: (event) => cards.get(event) ?? null,
    recalled: () => last,
    sight: async (agent, card) => {
      try {
        return (await runtime.with({ agent }).cards.get(card)).status;
      } catch (error) {
        if (error instanceof CairnError && error.status === 404) return null;
        throw error;
      }
    },
    notes: () => ({
      passes: passes ? night.counts : 'off',
      grants: grants ? 'on' : 'off',
      promotions: sharing.counts,
      approved: deciding.approved,
      not_taken: deciding.left,
      fixes: fixing.counts,
      dispositions,
      ...counts,
      seconds,
    }),
    before: async (call, agent, at) => {
      stack.clock.set(at);
      const fix = fixing.before(call.team, call.service, call.operation);
      const room = MEMORY_TOKENS - (fix === '' ? 0 : tokensOf(`${fix}\n\n`));
      const asked = runtime.with({ agent, session: call.session }).recall({
        query: queryOf(call),
        intent: 'act',
        limit: LIMIT,
        budget_tokens: room,
        ...(explain ? { explain } : {}),
      });
      last = await timed('recalls', asked);
      counts.recalls += 1;
      counts.degraded += last.degraded === undefined ? 0 : 1;
      const text = [fix, last.context].filter((part) => part !== '').join('\n\n');
      return { text, tokens: tokensOf(text) };
    },
    settled: async (event, at) => {
      stack.clock.set(at);
      const told = { ...event, occurred_at: stack.clock.told(event.occurred_at) };
      const { disposition, card_id: card } = await timed('captures', settled(told));
      counts.captures += 1;
      dispositions[disposition] = (dispositions[disposition] ?? 0) + 1;
      if (card === null) return;
      cards.set(event.event_id, card);
      if (event.kind === 'service_call') await timed('promotions', sharing.hear(event, card));
    },
    endOfDay: async (day, at) => {
      stack.clock.set(at);
      await timed('promotions', sharing.widen());
      await timed('decisions', deciding.lookIn());
      await fixing.apply();
      if (passes) await timed('passes', night.after(day));
    },
  };
}
