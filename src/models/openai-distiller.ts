import type { CardDraft } from '../contracts/card';
import { withContactTokens } from '../domain/distill/contact-tokens';
import { MOST_KEYWORDS } from '../domain/distill/keywords';
import { MODEL_CARD_JSON_SCHEMA, type ModelCard, parseModelCard } from '../schemas/model-output';
import { createJsonAsker } from './ask-json';
import { DISTILL_PROMPT_VERSION, distillPrompt } from './distill-prompt';
import type { Distiller } from './distiller';
import type { OpenAiChatOptions } from './openai-chat';

export type OpenAiDistillerOptions = OpenAiChatOptions;

/**
 * The distiller over any OpenAI-compatible endpoint; every answer is read tolerantly. It never retries by
 * itself, but for one repair of an answer that does not fit: retries are Temporal's.
 */
export function createOpenAiDistiller(options: OpenAiDistillerOptions): Distiller {
  const ask = createJsonAsker(options, { name: 'memory_card', schema: MODEL_CARD_JSON_SCHEMA });

  return {
    model: options.model,
    promptVersion: DISTILL_PROMPT_VERSION,
    distill: async (event, ownWarnings, standIn, signal) => {
      const { shown, ...question } = distillPrompt(event, ownWarnings, standIn);
      const { value: card } = await ask(question, readCard, signal);
      const used = card.used_warnings.flatMap((index) =>
        shown.includes(index) ? (ownWarnings[index]?.card_id ?? []) : [],
      );
      return draftOf(card, used, standIn, options.model, event.importance);
    },
  };
}

/** Lineage is the wider of both accounts: an erasure has to find every card that a warning went into. */
function draftOf(
  card: ModelCard,
  used: readonly string[],
  standIn: CardDraft,
  model: string,
  importance: number | undefined,
): CardDraft {
  return {
    ...standIn,
    summary: card.summary,
    topic: card.topic,
    keywords: withContactTokens(card.keywords, standIn.keywords, MOST_KEYWORDS),
    // What the emitter said of its own event stands, as its kind does.
    importance: importance ?? card.importance,
    derived_from: [...new Set([...standIn.derived_from, ...used])],
    distilled_by: 'model',
    model,
    prompt_version: DISTILL_PROMPT_VERSION,
  };
}

function readCard(object: object): { value: ModelCard } | { problem: string } {
  const parsed = parseModelCard(object);
  return 'card' in parsed ? { value: parsed.card } : parsed;
}
