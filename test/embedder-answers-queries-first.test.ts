import { createMiniLmEmbedder } from '../src/models/minilm-embedder';
import { describeWithModel } from './support/embedding-model';

describeWithModel('the embedder under a burst of captures', (modelPath) => {
  it('answers a query before the cards that came earlier', async () => {
    const embedder = await createMiniLmEmbedder({ modelPath: modelPath() });
    try {
      const order: string[] = [];
      const note = (name: string) => () => void order.push(name);
      const card = 'A deploy failed because another session held the migration lock.';
      const cards = [0, 1, 2].map((index) =>
        embedder.embed(Array<string>(20).fill(card)).then(note(`cards ${index}`)),
      );
      const query = embedder.embed(['why did it fail'], undefined, { priority: 'query' });
      await Promise.all([...cards, query.then(note('query'))]);
      expect(order).toEqual(['query', 'cards 0', 'cards 1', 'cards 2']);
    } finally {
      await embedder.close();
    }
  });

  it('drops what its caller gave up, and goes on', async () => {
    const embedder = await createMiniLmEmbedder({ modelPath: modelPath() });
    try {
      const given = new AbortController();
      const dropped = embedder.embed(Array<string>(200).fill('a card'), given.signal);
      given.abort(new Error('late'));
      await expect(dropped).rejects.toThrow('late');
      await expect(embedder.embed(['x'], AbortSignal.abort(new Error('gone')))).rejects.toThrow(
        'gone',
      );
      expect(await embedder.embed(['still here'])).toHaveLength(1);
    } finally {
      await embedder.close();
    }
  });
});
