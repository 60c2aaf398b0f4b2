import { repairRequest } from './distill-prompt';
import { DistillerError } from './distiller';
import {
  type AnswerShape,
  createOpenAiChat,
  type Message,
  type OpenAiChatOptions,
} from './openai-chat';
import { jsonObjectsIn } from './tolerant-json';
import { type ModelUsage, NO_USAGE, usageSum } from './usage';

/** What is repeated to the model of an answer that did not fit. */
const REPEATED_ANSWER = 4_000;

export interface Question {
  system: string;
  user: string;
}

/** One JSON object as what was asked for, or the rule that it breaks: a place and a rule, never a value. */
export type Reader<T> = (object: object) => { value: T } | { problem: string };

/** Asks one question and answers with the value that was read, and what it cost. */
export type AskJson = <T>(
  question: Question,
  read: Reader<T>,
  signal: AbortSignal,
) => Promise<{ value: T; usage: ModelUsage }>;

/**
 * Questions to any OpenAI-compatible endpoint that are answered with one JSON object, read tolerantly. An
 * answer that does not fit is repaired once; all other retries are Temporal's.
 * @throws {DistillerError} with a code of `src/contracts/failures.ts`, and with what was spent until then;
 * `model_invalid_output` where the repaired answer does not fit either
 */
export function createJsonAsker(options: OpenAiChatOptions, shape: AnswerShape): AskJson {
  const complete = createOpenAiChat(options, shape);
  return async (question, read, signal) => {
    const messages: Message[] = [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ];
    const first = await complete(messages, signal);
    const answer = lastThatFits(first.content, read);
    if ('value' in answer) return { value: answer.value, usage: first.usage };
    const turns = [...messages, ...repairTurns(first.content, answer.problem)];
    const second = await complete(turns, signal).catch((error: unknown) => {
      throw withSpent(error, first.usage);
    });
    const usage = usageSum(first.usage, second.usage);
    const repaired = lastThatFits(second.content, read);
    if ('value' in repaired) return { value: repaired.value, usage };
    throw new DistillerError('model_invalid_output', null, usage);
  };
}

/** A model that thinks aloud answers last, so the last object that fits is its answer. */
function lastThatFits<T>(content: string, read: Reader<T>): ReturnType<Reader<T>> {
  let problem: string | null = null;
  for (const object of jsonObjectsIn(content).reverse()) {
    const found = read(object);
    if ('value' in found) return found;
    problem ??= found.problem;
  }
  return { problem: problem ?? 'it holds no complete JSON object' };
}

/** The answer as the model's own turn, where it said anything, and what is wrong with it. */
function repairTurns(content: string, problem: string): Message[] {
  const request: Message = { role: 'user', content: repairRequest(problem) };
  const said = content.slice(0, REPEATED_ANSWER);
  return said.trim() === '' ? [request] : [{ role: 'assistant', content: said }, request];
}

function withSpent(error: unknown, spent: ModelUsage): unknown {
  if (!(error instanceof DistillerError)) return error;
  return new DistillerError(
    error.type,
    error.retryAfterMs,
    usageSum(spent, error.usage ?? NO_USAGE),
  );
}
