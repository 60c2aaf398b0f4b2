import type { EmbeddingOptions, Options } from '../config/options';
import type { Clock } from '../contracts/clock';
import type { Distiller } from './distiller';
import type { Embedder } from './embedder';
import { chooseEmbedder } from './embedder-choice';
import type { FactExtractor } from './fact-extractor';
import type { FailureReflector } from './failure-reflector';
import type { FixDrafter } from './fix-drafter';
import { createHashedEmbedder, HASHED_ID } from './hashed-embedder';
import { createMiniLmEmbedder, MINILM_ID } from './minilm-embedder';
import { createNoEmbedder } from './no-embedder';
import type { OpenAiChatOptions } from './openai-chat';
import { createOpenAiDistiller } from './openai-distiller';
import { createOpenAiEmbedder, type EmbeddingEndpoint, OPENAI_PREFIX } from './openai-embedder';
import { createOpenAiFactExtractor } from './openai-fact-extractor';
import { createOpenAiFailureReflector } from './openai-failure-reflector';
import { createOpenAiFixDrafter } from './openai-fix-drafter';
import { createOpenAiReflector } from './openai-reflector';
import { createOpenAiSkillWriter } from './openai-skill-writer';
import { createOpenAiSummaryWriter } from './openai-summary-writer';
import { createOpenAiWisdomWriter } from './openai-wisdom-writer';
import { OtherEmbedders } from './other-embedders';
import type { Reflector } from './reflector';
import { remembering } from './remembering-embedder';
import type { SkillWriter } from './skill-writer';
import type { SummaryWriter } from './summary-writer';
import type { WisdomWriter } from './wisdom-writer';

/**
 * For one call of a pass, in milliseconds: 4,000 tokens at 40 a second, and time to read 10,000. Nobody
 * waits for it. An attempt makes two calls at most, so its activity needs five minutes, and heartbeats.
 */
const PASS_CALL_TIMEOUT_MS = 120_000;

/** The language model of the environment, or null: then the stand-in distills. */
export function configuredDistiller(options: Options, clock: Clock): Distiller | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, small } = options.model;
  return createOpenAiDistiller({ apiKey, baseUrl, model: small, clock });
}

/** The same model for configuration fixes, or null: then the template words them. */
export function configuredFixDrafter(options: Options, clock: Clock): FixDrafter | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, small } = options.model;
  return createOpenAiFixDrafter({ apiKey, baseUrl, model: small, clock });
}

/** The large model for lessons of consolidation, or null: then rules word them. */
export function configuredWisdomWriter(options: Options, clock: Clock): WisdomWriter | null {
  return withLarge(options, clock, createOpenAiWisdomWriter);
}

/** The large model for reflection, or null: then counts find what cards have in common. */
export function configuredReflector(options: Options, clock: Clock): Reflector | null {
  return withLarge(options, clock, createOpenAiReflector);
}

/** The large model for skills, or null: then novelty comes from rarity, and a skill from its steps. */
export function configuredSkillWriter(options: Options, clock: Clock): SkillWriter | null {
  return withLarge(options, clock, createOpenAiSkillWriter);
}

/** The large model for what a failed task teaches, or null: then the advice for its error stands. */
export function configuredFailureReflector(
  options: Options,
  clock: Clock,
): FailureReflector | null {
  return withLarge(options, clock, createOpenAiFailureReflector);
}

/** A summary has 2,000 tokens, which takes a slow model fifty seconds; a conversation goes on meanwhile. */
const SUMMARY_CALL_TIMEOUT_MS = 60_000;

/** The large model for summaries of conversations, or null: then the rules write them. */
export function configuredSummaryWriter(options: Options, clock: Clock): SummaryWriter | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, model } = options.model;
  const callTimeoutMs = SUMMARY_CALL_TIMEOUT_MS;
  return createOpenAiSummaryWriter({ apiKey, baseUrl, model, clock, callTimeoutMs });
}

/** The small model for facts, which are looked for all the time; or null: then the rules find them. */
export function configuredFactExtractor(options: Options, clock: Clock): FactExtractor | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, small } = options.model;
  return createOpenAiFactExtractor({ apiKey, baseUrl, model: small, clock });
}

function withLarge<Port>(
  options: Options,
  clock: Clock,
  create: (chat: OpenAiChatOptions) => Port,
): Port | null {
  if (options.model === null) return null;
  const { apiKey, baseUrl, model } = options.model;
  return create({ apiKey, baseUrl, model, clock, callTimeoutMs: PASS_CALL_TIMEOUT_MS });
}

/**
 * The embedder of the environment: an endpoint, else the model on this machine, else the stand-in.
 * @throws a sentence where the endpoint refuses the key or the model
 */
export async function configuredEmbedder(
  options: Options,
  locateModel: () => Promise<string>,
  say: (line: string) => void,
): Promise<Embedder> {
  if (options.noEmbedding) {
    say('CAIRN_EMBEDDING_MODEL=none: recall goes by words, not by meaning');
    return createNoEmbedder();
  }
  const chosen = await chooseEmbedder({
    ...(options.embeddingEndpoint === null
      ? {}
      : { endpoint: endpointOf(options.embeddingEndpoint) }),
    locateModel,
    say,
  });
  return remembering(chosen);
}

/**
 * Embedders by the ids of their models, for queries while vectors of two models are searched: those of this
 * machine always, those of an endpoint where one is configured, whatever model is named for it now.
 */
export function configuredOthers(
  options: Options,
  locateModel: () => Promise<string>,
): OtherEmbedders {
  const endpoint = options.embeddingEndpoint ?? options.model;
  return new OtherEmbedders((model) => {
    if (model === HASHED_ID) return createHashedEmbedder();
    if (model === MINILM_ID) {
      return locateModel().then(async (modelPath) =>
        remembering(await createMiniLmEmbedder({ modelPath })),
      );
    }
    if (!model.startsWith(OPENAI_PREFIX) || endpoint === null) return null;
    const named = { ...endpoint, model: model.slice(OPENAI_PREFIX.length) };
    return remembering(createOpenAiEmbedder(endpointOf(named)));
  });
}

function endpointOf(named: EmbeddingOptions): EmbeddingEndpoint {
  const { apiKey, baseUrl, model } = named;
  return { apiKey, model, ...(baseUrl === null ? {} : { baseUrl }) };
}
