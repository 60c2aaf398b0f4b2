import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { createHashedEmbedder, hashedVector } from '../src/models/hashed-embedder';

const embedder = createHashedEmbedder();

it('answers a unit vector, or zero for a text without a word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const vector = hashedVector(text);
      const length = Math.sqrt(dot(vector, vector));
      expect(vector).toHaveLength(embedder.dims);
      expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
    }),
  );
  expect(dot(hashedVector('deploy'), hashedVector('deploy'))).toBeCloseTo(1, 5);
  expect(dot(hashedVector(' … '), hashedVector('deploy'))).toBe(0);
});

it('answers the same for a text alone and among others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string(), { maxLength: 5 }), async (texts) => {
      const together = await embedder.embed(texts);
      expect(together).toEqual(texts.map(hashedVector));
    }),
  );
});

// Stored vectors outlive releases: where this fails, the rules changed and the id must change too.
it('answers what it answered in the release that gave it its id', () => {
  const vector = hashedVector('The deploy of billing failed: migration lock held. Café №5');
  const bytes = Buffer.from(vector.map((value) => Math.round(value * 1e4)).join(','));
  expect(embedder.id).toBe('hashed-ngrams-1');
  expect(createHash('sha256').update(bytes).digest('hex').slice(0, 16)).toBe('04ff2cbdb5657162');
});

it('finds a word in another form nearer than another word', () => {
  const deploy = hashedVector('deploying the billing service');
  const near = dot(deploy, hashedVector('deployment of billing services'));
  const far = dot(deploy, hashedVector('a recipe for plum cake'));
  expect(near).toBeGreaterThan(0.3);
  expect(Math.abs(far)).toBeLessThan(0.15);
});

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] as number), 0);
}
