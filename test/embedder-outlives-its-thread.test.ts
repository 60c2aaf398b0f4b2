import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Embedder } from '../src/models/embedder';
import { createMiniLmEmbedder } from '../src/models/minilm-embedder';
import { describeWithModel } from './support/embedding-model';

/** A message the thread was never meant to get; it throws where nothing catches it. */
function crash(embedder: Embedder): Promise<unknown> {
  return embedder.embed(['x'], undefined, { priority: 'none' as 'card' });
}

describeWithModel('the embedder', (modelPath) => {
  it('rejects what waits when its thread dies, and answers again', async () => {
    const restarts: string[] = [];
    const embedder = await createMiniLmEmbedder({
      modelPath: modelPath(),
      onRestart: (reason) => restarts.push(reason),
    });
    try {
      const [before] = await embedder.embed(['a card']);
      const waiting = embedder.embed(Array<string>(50).fill('waits'));
      const killer = crash(embedder);
      await expect(killer).rejects.toThrow(/thread died/);
      await expect(waiting).rejects.toThrow(/thread died/);
      const [after] = await embedder.embed(['a card']);
      expect(after).toEqual(before);
      expect(restarts).toHaveLength(1);
    } finally {
      await embedder.close();
    }
  });

  it('stays dead, and says so, when it dies again before it answered anything', async () => {
    const embedder = await createMiniLmEmbedder({ modelPath: modelPath() });
    await embedder.embed(['a card']);
    await expect(crash(embedder)).rejects.toThrow(/thread died/);
    await expect(crash(embedder)).rejects.toThrow(/thread died/);
    await expect(embedder.embed(['a card'])).rejects.toThrow(/died twice/);
    await embedder.close();
    await expect(embedder.embed(['a card'])).rejects.toThrow(/closed/);
  });

  it('rejects what waits when it is closed', async () => {
    const embedder = await createMiniLmEmbedder({ modelPath: modelPath() });
    const waiting = expect(embedder.embed(Array<string>(50).fill('waits'))).rejects.toThrow(
      /closed/,
    );
    await embedder.close();
    await waiting;
  });
});

it('does not come to be on a file that is no model', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cairn-model-'));
  try {
    const modelPath = join(dir, 'model.onnx');
    writeFileSync(modelPath, 'not a model');
    await expect(createMiniLmEmbedder({ modelPath })).rejects.toThrow(/cannot be run/);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
