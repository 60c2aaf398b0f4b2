import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { locateMiniLm } from '../../src/embedded/fetch';
import { MINILM_WHEEL } from '../../src/embedded/pins';
import { fetchOptions } from './programs';

/**
 * `describe` for what needs the real embedding model (22 MB, fetched once into the cache); skipped
 * where it is not there and may not be fetched.
 *
 * @param suite - given a function that answers the path of `model.onnx`, to be called inside a test
 */
export function describeWithModel(name: string, suite: (path: () => string) => void): void {
  const { cacheDir, offline } = fetchOptions();
  const cached = join(cacheDir, `${MINILM_WHEEL.project}-${MINILM_WHEEL.version}`, 'model.onnx');
  if (offline === true && !existsSync(cached)) {
    describe.skip(`${name} [needs the embedding model]`, () => suite(() => cached));
    return;
  }
  describe(name, () => {
    let path: string;
    beforeAll(async () => {
      path = await locateMiniLm(fetchOptions());
    });
    suite(() => path);
  });
}
