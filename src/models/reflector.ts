import type { CardKind, Sign } from '../contracts/names';
import type { ModelFact, ModelLink } from '../schemas/model-reflection';
import type { SkillWords } from './skill-writer';
import type { ModelUsage } from './usage';

/** A card that a reflection reads, redacted. */
export interface ReflectedCard {
  /** What findings cite it by: whole, and its own within the reflection. */
  n: number;
  kind: CardKind;
  sign: Sign;
  summary: string;
  service: string | null;
  operation: string | null;
  /** How many agents saw it. */
  agents: number;
}

/** About 30,000 characters of cards with what is known; the rest is for the next reflection. */
export const CARDS_SHOWN = 80;
export const KNOWN_SHOWN = 40;

export interface Reflection {
  /** Stable statements about services or the world, each seen in two or more cards. */
  facts: ModelFact[];
  links: ModelLink[];
  skills: (SkillWords & { sources: number[] })[];
  usage: ModelUsage;
}

/** Makes candidates of what cards have in common, by a language model; the gate judges them. */
export interface Reflector {
  readonly model: string;
  readonly promptVersion: string;
  /**
   * @param input the first {@link CARDS_SHOWN} cards, and in `known` the first {@link KNOWN_SHOWN} statements
   * that memory holds already
   * @param signal ends the call; the promise then rejects
   * @returns lists that may be empty, in words that are not yet redacted again
   * @throws {DistillerError} with a code of `src/contracts/failures.ts`, and what was spent until then
   */
  reflect(
    input: { cards: readonly ReflectedCard[]; known: readonly string[] },
    signal: AbortSignal,
  ): Promise<Reflection>;
}
