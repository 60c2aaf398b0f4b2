import { createMiniLmEmbedder } from '../src/models/minilm-embedder';
import { createWordPiece, MAX_TOKENS } from '../src/models/wordpiece';
import { describeWithModel } from './support/embedding-model';

const SENTENCES = [
  'The weather is lovely today.',
  "It's so sunny outside!",
  'He drove to the stadium.',
] as const;
/** Of the three pairs, as all-MiniLM-L6-v2's card prints them for the full-precision model. */
const SIMILARITIES = { '0-1': 0.666, '0-2': 0.1046, '1-2': 0.1411 } as const;

describeWithModel('all-MiniLM-L6-v2 on this machine', (modelPath) => {
  it('finds the similarities of the model card, to what int8 weights cost', async () => {
    const embedder = await createMiniLmEmbedder({ modelPath: modelPath() });
    try {
      const [weather, sunny, stadium] = (await embedder.embed(SENTENCES)) as [
        Float32Array,
        Float32Array,
        Float32Array,
      ];
      expect(dot(weather, sunny)).toBeCloseTo(SIMILARITIES['0-1'], 2);
      expect(dot(weather, stadium)).toBeCloseTo(SIMILARITIES['0-2'], 2);
      expect(dot(sunny, stadium)).toBeCloseTo(SIMILARITIES['1-2'], 2);
      for (const vector of [weather, sunny, stadium]) {
        expect(vector).toHaveLength(embedder.dims);
        expect(dot(vector, vector)).toBeCloseTo(1, 5);
      }
    } finally {
      await embedder.close();
    }
  });

  it('answers one vector a text, in order, whatever the texts are', async () => {
    const embedder = await createMiniLmEmbedder({ modelPath: modelPath() });
    try {
      const texts = ['', '\u0000\ud800', 'naïve café', '記憶', 'x'.repeat(20_000), SENTENCES[0]];
      const together = await embedder.embed(texts);
      expect(together).toHaveLength(texts.length);
      for (const [index, text] of texts.entries()) {
        const [alone] = await embedder.embed([text]);
        expect(together[index]).toEqual(alone);
      }
      expect(await embedder.embed([])).toEqual([]);
    } finally {
      await embedder.close();
    }
  });
});

describe('the tokenizer', () => {
  const wordPiece = createWordPiece();

  // Ids of uncased BERT's vocabulary: its lines, counted from 0.
  it.each([
    ['Hello, World!', [101, 7592, 1010, 2088, 999, 102]],
    ['unaffable', [101, 14477, 20961, 3468, 102]],
    ['', [101, 102]],
    ['Café', [101, 7668, 102]],
  ])('reads %j as BERT does', (text, ids) => {
    expect(wordPiece.encode(text)).toEqual(ids);
  });

  it('lets no text spell a marker', () => {
    expect(wordPiece.encode('[SEP] [CLS] [MASK]').slice(1, -1)).not.toContain(102);
    expect(wordPiece.encode('[SEP]')).toEqual([101, 1031, 19802, 1033, 102]);
  });

  it('cuts a long text at what the model reads and keeps both markers', () => {
    const ids = wordPiece.encode('memory '.repeat(5_000));
    expect(ids).toHaveLength(MAX_TOKENS);
    expect([ids.at(0), ids.at(-1)]).toEqual([101, 102]);
  });
});

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] as number), 0);
}
