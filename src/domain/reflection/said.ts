import type { SkillDocument } from '../../contracts/skill';
import { isWarning } from '../link-confidence';
import { epochMs } from '../read-time';
import { type Candidate, type LinkCandidate, MOST_FOUND, matterOf } from './candidate';
import { byTime, callOf, type ReflectionCard, weigh } from './card';

/** What a model made of some cards, each named by its number from 1. */
export interface Said {
  facts: readonly {
    text: string;
    topic: string | null;
    sources: readonly number[];
    confidence: number;
  }[];
  links: readonly {
    from: number;
    to: number;
    type: LinkCandidate['link'];
    confidence: number;
    reason: string;
  }[];
  skills: readonly (SkillDocument & { name: string; sources: readonly number[] })[];
}

/** A model is never surer of a link than a rule that compared all that can be compared. */
const MOST_OF_A_LINK = 0.9;

/**
 * What a model said as candidates. It may not be surer of a thing than the cards are that it names for it, and a link
 * has to be one that its two cards can have: by what their signs are, and which of them came later.
 *
 * @param cards in the order of their numbers
 */
export function candidatesOf(said: Said, cards: readonly ReflectionCard[]): Candidate[] {
  const named = (numbers: readonly number[]) =>
    [...new Set(numbers.flatMap((n) => cards[n - 1] ?? []))].sort(byTime);
  const facts = said.facts
    .slice(0, MOST_FOUND.fact)
    .map(({ text, topic, sources, confidence }): Candidate => {
      const seen = named(sources);
      const weight = weigh(seen);
      return {
        type: 'fact',
        text,
        topic,
        matter: matterOf(text),
        service: common(seen, ({ hints }) => hints.service),
        operation: common(seen, callOf) === null ? null : (seen[0]?.hints.operation ?? null),
        error_signature: common(seen.filter(isWarning), ({ hints }) => hints.error_signature),
        error_family: common(seen.filter(isWarning), ({ hints }) => hints.error_family),
        sources: seen.map(({ id }) => id),
        ...weight,
        confidence: Math.min(confidence, weight.confidence),
      };
    });
  const links = said.links.flatMap((link) => linkOf(link, cards)).slice(0, MOST_FOUND.link);
  const skills = said.skills
    .slice(0, MOST_FOUND.skill)
    .map(({ name, sources, ...document }): Candidate => {
      const seen = named(sources);
      return {
        type: 'skill',
        name,
        text: document.purpose,
        document,
        matter: `name|${name}`,
        sources: seen.map(({ id }) => id),
        cases: [],
        ...weigh(seen),
      };
    });
  return [...facts, ...skills, ...links];
}

function linkOf(
  { from, to, type, confidence, reason }: Said['links'][number],
  cards: readonly ReflectionCard[],
): Candidate[] {
  const [one, other] = [cards[from - 1], cards[to - 1]];
  if (one === undefined || other === undefined || one === other) return [];
  const [newer, older] = byTime(one, other) > 0 ? [one, other] : [other, one];
  if (!mayBe(type, newer, older)) return [];
  return [
    {
      type: 'link',
      link: type,
      from: newer.id,
      to: older.id,
      text: reason,
      matter: `${type} ${newer.id} ${older.id}`,
      sources: [newer.id, older.id],
      ...weigh([newer, older]),
      confidence: Math.min(confidence, MOST_OF_A_LINK),
    },
  ];
}

function mayBe(type: LinkCandidate['link'], newer: ReflectionCard, older: ReflectionCard): boolean {
  const warns = [isWarning(newer), isWarning(older)];
  switch (type) {
    case 'supports':
      return newer.sign === older.sign;
    case 'constrains':
      return warns[0] !== warns[1];
    case 'satisfies':
      return (
        newer.sign === 'worked' &&
        warns[1] === true &&
        callOf(newer) !== null &&
        callOf(newer) === callOf(older) &&
        epochMs(newer.valid_from) > epochMs(older.valid_from)
      );
    case 'conflicts':
      return warns[0] !== warns[1] || newer.sign === older.sign;
    default:
      return type satisfies never;
  }
}

function common<T extends string>(
  cards: readonly ReflectionCard[],
  of: (card: ReflectionCard) => T | null,
): T | null {
  const values = new Set(cards.map(of));
  const [only = null] = values;
  return values.size === 1 ? only : null;
}
