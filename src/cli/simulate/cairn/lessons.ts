import type { JsonObject, SettledEvent } from '../../../contracts/event';

/** A card of the fleet's work, as the runtime knows it. */
interface Tried {
  card: string;
  input: string;
  outcome: SettledEvent['outcome'];
}

/** What was proven in one task: a warning, or several, and the success that came after with another input. */
export interface Lesson {
  agent: string;
  team: string;
  service: string;
  operation: string;
  cards: readonly string[];
}

/**
 * Watches one task after another for calls that failed and then worked with another input. A failure with the
 * very input that then worked was chance: nothing is proven by it.
 */
export function lessons() {
  const open = new Map<string, Tried[]>();
  return {
    /** Of a settled call and its card, the lesson that it completes; null where it completes none. */
    hear(event: SettledEvent, card: string): Lesson | null {
      const { task = '', agent, team = '', service = '', operation = '', outcome } = event;
      const of = JSON.stringify([task, operation]);
      const input = JSON.stringify((event.input ?? {}) as JsonObject);
      const before = open.get(of) ?? [];
      if (outcome === 'failed') {
        open.set(of, [...before, { card, input, outcome }]);
        return null;
      }
      open.delete(of);
      const warnings = before.filter((one) => one.input !== input);
      if (warnings.length === 0) return null;
      const cards = [...warnings.map((one) => one.card), card];
      return { agent, team, service, operation, cards };
    },
  };
}
