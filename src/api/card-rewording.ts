import type { Card } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import { TIER_OF_KIND } from '../contracts/names';
import { keywordsOf } from '../domain/distill/keywords';
import { lexicalTerms } from '../domain/terms';
import type { CardPatch } from '../schemas/card';
import type { VisibleCard } from '../store/cards';

/** What a patch makes of a card, with the fields of its input that no surface shows. */
export type PatchedCard = Pick<VisibleCard, 'card' | 'inputFields'>;

/**
 * The card as the patch wants it. Other words take along what was made from the old ones: nothing that
 * was corrected away stays findable, but for what the patch itself names.
 */
export function patched(seen: PatchedCard, { hints, ...patch }: CardPatch): PatchedCard {
  const before = seen.card;
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const labels = Object.entries(hints ?? {}).filter(([, value]) => value !== undefined);
  const next: Card = {
    ...before,
    ...Object.fromEntries(given),
    hints: { ...before.hints, ...Object.fromEntries(labels) },
  };
  const card = { ...next, tier: TIER_OF_KIND[next.kind] };
  if (card.summary === before.summary) return { card, inputFields: seen.inputFields };
  return reworded(seen, card, { ...patch, hints });
}

function reworded(seen: PatchedCard, next: Card, patch: CardPatch): PatchedCard {
  const before = seen.card;
  const now = lexicalTerms(next.summary);
  const gone = new Set([...lexicalTerms(before.summary).keys()].filter((term) => !now.has(term)));
  const holdsGone = (text: string) => [...lexicalTerms(text).keys()].some((term) => gone.has(term));
  const inputFields = Object.fromEntries(
    Object.entries(seen.inputFields).filter(([path, value]) => !holdsGone(`${path} ${value}`)),
  );
  const { topic, hints } = next;
  const { error_signature: signature } = hints;
  const keepsTopic =
    patch.topic !== undefined || topic === null || topic === hints.task_type || !holdsGone(topic);
  const keepsSignature =
    patch.hints?.error_signature !== undefined || signature === null || !holdsGone(signature);
  const keywords =
    patch.hints?.keywords ??
    (areDerived(before)
      ? derivedKeywords(next, inputFields)
      : before.hints.keywords.filter((word) => !holdsGone(word)));
  const card: Card = {
    ...next,
    topic: keepsTopic ? topic : null,
    hints: { ...hints, keywords, error_signature: keepsSignature ? signature : null },
  };
  return { card, inputFields };
}

/** A card of an event has its keywords from there; one by hand where nobody named others. */
function areDerived(card: Card): boolean {
  if (card.provenance.event_id !== null) return true;
  return JSON.stringify(card.hints.keywords) === JSON.stringify(derivedKeywords(card, {}));
}

function derivedKeywords(card: Card, inputFields: Readonly<Record<string, string>>): string[] {
  const named = { operation: card.hints.operation ?? undefined } as SettledEvent;
  return keywordsOf(named, inputFields, card.summary);
}
