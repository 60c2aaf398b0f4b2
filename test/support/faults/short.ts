import { join } from 'node:path';
import type { Dice } from './dice';
import { Load } from './load';
import type { Stack } from './stack';

/** Names the seed of a run that failed: `CAIRN_FAULT_SEED=7 npx jest test/faults-native`. */
export const SEED_VARIABLE = 'CAIRN_FAULT_SEED';

/** Processes are started again and again here: the stand-in embeds, which needs no model to be loaded. */
export function withoutModel(dir: string): Record<string, string> {
  return {
    CAIRN_OFFLINE: 'true',
    CAIRN_CACHE_DIR: join(dir, 'cache'),
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    CAIRN_EMBEDDING_MODEL: '',
  };
}

/** Two clients that leave two cores something for what is being tested. */
export function lightLoad(stack: Stack, dice: Dice): Load {
  return new Load({
    urls: () => stack.urls(),
    key: stack.key,
    dice,
    batch: [4, 12],
    pauseMs: 300,
    clients: 2,
  });
}
