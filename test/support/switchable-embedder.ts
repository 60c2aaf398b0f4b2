import { type Embedder, EmbedderError } from '../../src/models/embedder';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';

/** The real stand-in embedder behind a switch, and a place to do something while a batch is embedded. */
export interface SwitchableEmbedder extends Embedder {
  down: boolean;
  /** Batches that were asked for, the failed ones included. */
  calls: number;
  texts: string[];
  /** Runs after the texts were taken and before their vectors come back. */
  meanwhile: () => Promise<void>;
}

export function createSwitchableEmbedder(id?: string): SwitchableEmbedder {
  const real = createHashedEmbedder();
  const embedder: SwitchableEmbedder = {
    id: id ?? real.id,
    dims: real.dims,
    down: false,
    calls: 0,
    texts: [],
    meanwhile: async () => undefined,
    embed: async (texts, signal) => {
      embedder.calls += 1;
      if (embedder.down) throw new EmbedderError('down: TEXT-OF-A-CARD');
      embedder.texts.push(...texts);
      await embedder.meanwhile();
      return await real.embed(texts, signal);
    },
    close: async () => undefined,
  };
  return embedder;
}
