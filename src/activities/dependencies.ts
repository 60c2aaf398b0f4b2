import type { Clock } from '../contracts/clock';
import type { Embedder } from '../models/embedder';
import type { Database } from '../store/database';

/** What steps need that put something into words, by a model or by the rules, and file it. */
export interface WordingDependencies {
  database: Database;
  clock: Clock;
  embedder: Embedder;
  /** Whether a language model is configured: then it is asked, and the rules stand in. */
  hasModel: boolean;
}
