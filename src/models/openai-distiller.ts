import type { CardDraft } from '../contracts/card';
import { withContactTokens } from '../domain/distill/contact-tokens';
import { MOST_KEYWORDS } from '../domain/distill/keywords';
import { MODEL_CARD_JSON_SCHEMA, type ModelCard, parseModelCard } from '../schemas/model-output';
import { DISTILL_PROMPT_VERSION, distillPrompt, repairRequest } from './distill-prompt';
import { type Distiller, DistillerError } from './distiller';
import { createOpenAiChat, type Message, type OpenAiChatOptions } from './openai-chat';
import { jsonObjectsIn } from './tolerant-json';

export type OpenAiDistillerOptions = OpenAiChatOptions;

/** What is repeated to the model of an answer that did not fit. */
const REPEATED_ANSWER = 4_000;

type Answer = { card: ModelCard } | { problem: string; content: string };

/**
 * The distiller over any OpenAI-compatible endpoint; every answer is read tolerantly. It never retries by
 * itself, but for one repair of an answer that does not fit: retries are Temporal's.
 */
export function createOpenAiDistiller(options: OpenAiDistillerOptions): Distiller {
  const complete = createOpenAiChat(options, {
    name: 'memory_card',
    schema: MODEL_CARD_JSON_SCHEMA,
  });

  return {
    model: options.model,
    promptVersion: DISTILL_PROMPT_VERSION,
    distill: async (event, ownWarnings, standIn, signal) => {
      const { system, user, shown } = distillPrompt(event, ownWarnings, standIn);
      const messages: Message[] = [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ];
      let answer = readAnswer(await complete(messages, signal));
      if ('problem' in answer) {
        answer = readAnswer(await complete([...messages, ...repairOf(answer)], signal));
      }
      if ('problem' in answer) throw new DistillerError('model_invalid_output');
      const { card } = answer;
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

/** A model that thinks aloud answers last, so the last object that fits is its answer. */
function readAnswer(content: string): Answer {
  const objects = jsonObjectsIn(content).reverse();
  let problem: string | null = null;
  for (const object of objects) {
    const parsed = parseModelCard(object);
    if ('card' in parsed) return parsed;
    problem ??= parsed.problem;
  }
  return { problem: problem ?? 'it holds no complete JSON object', content };
}

/** What the model is told of an answer that did not fit, after that answer. */
export function repairOf(answer: { problem: string; content: string }): Message[] {
  const said = answer.content.slice(0, REPEATED_ANSWER);
  const request: Message = { role: 'user', content: repairRequest(answer.problem) };
  return said.trim() === '' ? [request] : [{ role: 'assistant', content: said }, request];
}
