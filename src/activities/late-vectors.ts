import { randomUUID } from 'node:crypto';
import { CancelledFailure, log } from '@temporalio/activity';
import { type Embedder, EmbedderError } from '../models/embedder';
import { transient } from './failure';

/** A text that is refused whole is tried once more by its beginning, where a card says what it is about. */
const SHORTENED_CHARACTERS = 1_000;
/** Nothing that an endpoint could have against it. */
const CONTROL = 'control';

/**
 * The vectors of texts that waited for theirs, in order. A text that the embedder refuses for good, whole and
 * shortened, gets the zero vector, which is near nothing: it is found by its words, and keeps no other from
 * its vector. Zeros are given only by an embedder that makes vectors of other texts: one that refuses all
 * is at fault itself.
 * @throws {ApplicationFailure} `model_unavailable`: the embedder is away; the same texts may be tried again
 */
export async function lateVectorsOf(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  if (texts.length === 0) return [];
  try {
    return (await asked(embedder, texts, signal)) ?? (await oneByOne(embedder, texts, signal));
  } catch (error) {
    throw error instanceof CancelledFailure ? error : transient('model_unavailable');
  }
}

async function oneByOne(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: (Float32Array | null)[] = [];
  for (const text of texts) vectors.push(await vectorOf(embedder, text, signal));
  const refused = vectors.filter((vector) => vector === null).length;
  if (refused > 0) {
    // Another one each time: the embedder remembers what it was asked before.
    const control = `${CONTROL} ${randomUUID()}`;
    if (refused === texts.length && (await asked(embedder, [control], signal)) === null) {
      throw new EmbedderError('every text is refused');
    }
    log.warn('the embedder refuses texts for good: their cards are found by words', {
      texts: refused,
    });
  }
  return vectors.map((vector) => vector ?? new Float32Array(embedder.dims));
}

async function vectorOf(
  embedder: Embedder,
  text: string,
  signal: AbortSignal,
): Promise<Float32Array | null> {
  const whole = await asked(embedder, [text], signal);
  const made = whole ?? (await asked(embedder, [shortened(text)], signal));
  return made?.[0] ?? null;
}

/** @returns null where the texts are refused for good */
async function asked(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[] | null> {
  try {
    return await embedder.embed(texts, signal);
  } catch (error) {
    if (error instanceof EmbedderError && error.fault === 'texts') return null;
    throw error;
  }
}

/** Not through the middle of a character. */
function shortened(text: string): string {
  return text.slice(0, SHORTENED_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}
