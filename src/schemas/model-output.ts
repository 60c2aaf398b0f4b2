import { z } from 'zod';
import type { CardDraft } from '../contracts/card';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { firstIssue } from './event';
import { cut, isDump, oneLine, plainWords } from './model-words';

/** Below it nothing is said, above it more than three sentences are (good cards have 60 to 350). */
const SUMMARY_LENGTH = { least: 20, most: 600 };
/** As many as the stand-in gives; what is beyond is left out, not refused. */
const MOST_KEYWORDS = 12;
const KEYWORD_LENGTH = 40;
const TOPIC_LENGTH = 60;

/** Everything of a card that a model writes. The rest of a draft is decided by rules. */
export interface ModelCard {
  summary: string;
  topic: string | null;
  keywords: string[];
  /** 1–10. */
  importance: number;
  /** Indices into the own warnings that were shown. */
  used_warnings: number[];
}

/**
 * What a provider is told to answer with. It holds types only: strict mode knows no lengths, and a
 * provider that knows fewer keywords than another must not refuse the request.
 */
export const MODEL_CARD_JSON_SCHEMA = {
  type: 'object',
  properties: {
    summary: { type: 'string', description: 'About three sentences, 60 to 350 characters.' },
    topic: { type: ['string', 'null'], description: 'Two to five words, or null.' },
    keywords: { type: 'array', items: { type: 'string' }, description: 'At most twelve.' },
    importance: { type: 'integer', description: '1 to 10.' },
    used_warnings: {
      type: 'array',
      items: { type: 'integer' },
      description: 'Indices of the earlier warnings that the summary draws on; often empty.',
    },
  },
  required: ['summary', 'topic', 'keywords', 'importance', 'used_warnings'],
  additionalProperties: false,
} as const;

const summarySchema = z
  .string('must be a string')
  .transform(plainWords)
  .refine(fits, `must be ${SUMMARY_LENGTH.least} to ${SUMMARY_LENGTH.most} characters`)
  .refine((text) => !isDump(text), 'must be plain sentences, not JSON or a record');

/** Digits in quotes are a number too; anything else that JavaScript makes one of is not. */
const scoreSchema = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^\d{1,2}(?:\.\d+)?$/)
      .transform(Number),
  ],
  'must be a number from 1 to 10',
);

/** Unknown fields are dropped; what is missing but has a plain default is filled in. */
const modelCardSchema = z.object({
  summary: summarySchema,
  topic: z
    .string('must be a string or null')
    .nullable()
    .default(null)
    .transform((text) => (text === null ? null : cut(plainWords(text), TOPIC_LENGTH) || null)),
  keywords: z
    .array(z.string('must be a string'), 'must be an array of strings')
    .transform(keywordsIn),
  importance: scoreSchema
    .refine((value) => value >= 1, 'must be at least 1')
    .refine((value) => value <= 10, 'must be at most 10')
    .transform(Math.round),
  used_warnings: z
    .array(z.number('must be an index'), 'must be an array of indices')
    .default([])
    .transform((indices) => [...new Set(indices)]),
});

/** The card, or what is wrong with it: a place and a rule, never a value. */
export function parseModelCard(value: unknown): { card: ModelCard } | { problem: string } {
  const parsed = modelCardSchema.safeParse(value);
  if (parsed.success) return { card: parsed.data };
  const { pointer, detail } = firstIssue(parsed.error);
  return { problem: `${pointer === '' ? 'the answer' : pointer.slice(1)} ${detail}` };
}

/**
 * The rules' last word on what a model wrote. Its words are redacted once more. All words and the
 * importance are the stand-in's where nothing fit is left of the model's, where they speak to a reader
 * as a planted instruction does, and wherever the event was flagged as holding one: a model that read
 * it may have obeyed it in words that no rule knows. Such a draft says that the stand-in wrote it.
 */
export function recheckDraft(
  written: CardDraft,
  standIn: CardDraft,
  redact: (text: string) => string,
): CardDraft {
  const summary = oneLine(redact(written.summary));
  const topic = written.topic === null ? null : redact(written.topic);
  const flagged = standIn.flags.includes('instruction_like');
  // An agent's card may tell which tool to call, so its account is held to the plainer rules.
  const speaks = [summary, topic ?? '', written.keywords.join(' ')].some((text) =>
    looksLikeInstruction(text, 'told'),
  );
  if (flagged || speaks || !fits(summary)) {
    // Where only its words give it away, the event holds an instruction that the rules have missed.
    const flags: CardDraft['flags'] = flagged || !speaks ? standIn.flags : ['instruction_like'];
    return { ...standIn, flags };
  }
  return { ...written, summary, topic, keywords: keywordsIn(written.keywords.map(redact)) };
}

function fits(text: string): boolean {
  return text.length >= SUMMARY_LENGTH.least && text.length <= SUMMARY_LENGTH.most;
}

function keywordsIn(words: readonly string[]): string[] {
  const clean = words.map((word) => plainWords(word).toLowerCase());
  const fit = clean.filter((word) => word.length > 1 && word.length <= KEYWORD_LENGTH);
  return [...new Set(fit)].slice(0, MOST_KEYWORDS);
}
