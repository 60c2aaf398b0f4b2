import type { SettledEvent } from '../../contracts/event';

/** One sentence, and it is a question. */
const ONE_QUESTION = /^[^.!。！\n]*[?？؟]\s*$/u;
/** A part of it that says something of whoever asks: "I am vegan, what can I have?". */
const TELLS =
  /(?:^|[,，、;:–—]\s*|\b(?:and|but|so|since|because|as)\s+)(?:I|we|my|our|ich|wir|meine?|unsere?|je|nous|mon|ma|mes|yo|soy|tengo|mi|io|sono|ho|eu|sou|tenho|ik|wij|mijn|я|мы)(?![\p{L}\p{N}])|(?:^|[,，、;]\s*)(?:我|[jm]['’])/iu;

/**
 * A turn of talk that only asks, with no tool used: what was asked is no knowledge, and what was answered the model
 * knew, or was told by recall. Told to Cairn it would come back as memory beside what it asks about.
 */
export function onlyAsks({ kind, outcome, messages = [] }: SettledEvent): boolean {
  if (kind !== 'chat' || outcome !== 'neutral') return false;
  if (messages.some(({ role }) => role === 'tool')) return false;
  const asked = messages.find(({ role }) => role === 'user')?.content;
  return asked !== undefined && ONE_QUESTION.test(asked) && !TELLS.test(asked);
}
