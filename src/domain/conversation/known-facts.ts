import { attributeOf } from '../attribute';
import { SAID_ON } from '../said-on';
import { textSimilarity } from '../similarity';
import { comparable } from './check';
import { datesIn } from './dates-in';
import type { Fact } from './facts';
import { itemsOf } from './items-of';

/** How alike two facts are that say the same; as of near-duplicates (`consolidation.duplicate_similarity`). */
const SAME = 0.8;

/**
 * The facts that nothing known says: not in the same words, not as the same value of the same attribute, not in words
 * that are alike with the same numbers, names and dates. Another value of an attribute is new, and meets the older one
 * when it is linked.
 *
 * @param known summaries of the subject's cards that may be seen
 */
export function newFacts(
  facts: readonly Fact[],
  known: readonly string[],
  subject: string | null,
): Fact[] {
  const seen = known.map((text) => profileOf(text, subject));
  const fresh: Fact[] = [];
  // From the last one on: who corrects themselves means what they said last.
  const meant = new Set<string>();
  for (const fact of [...facts].reverse()) {
    const own = profileOf(fact.text, subject);
    if (own.attribute !== null && meant.has(own.attribute.name)) continue;
    if (own.attribute !== null) meant.add(own.attribute.name);
    if (seen.some((other) => saysTheSame(own, other))) continue;
    seen.push(own);
    fresh.unshift(fact);
  }
  return fresh;
}

interface Profile {
  words: string;
  attribute: { name: string; value: string } | null;
  items: string;
}

function profileOf(text: string, subject: string | null): Profile {
  const said = text.replace(SAID_ON, '').replace(/[.!]+$/, '');
  const items = itemsOf(said, datesIn(said, '2000-01-01T00:00:00Z')).map((item) =>
    comparable(item.text),
  );
  return {
    words: comparable(said),
    attribute: attributeOf(said, subject),
    items: items.sort().join('\n'),
  };
}

function saysTheSame(one: Profile, other: Profile): boolean {
  if (one.words === other.words) return true;
  if (one.attribute !== null && other.attribute?.name === one.attribute.name) {
    return other.attribute.value === one.attribute.value;
  }
  return one.items === other.items && textSimilarity(one.words, other.words) >= SAME;
}
