import type { ExportTable } from './export-table';

type Moves = NonNullable<ExportTable['moves']>;

/** Settled by its workflow here, where it waited in the file; models and vectors come late. */
export const MOVES_OF_CAPTURE: Moves = [
  { columns: ['needs_distill', 'needs_embed'] },
  {
    given: `given ->> 'disposition' = 'pending'`,
    columns: ['disposition', 'reason', 'card_id', 'dedupe_hash', 'settled_at'],
  },
];

/** Gone on with here, where it was under way in the file. */
export const MOVES_OF_RUN: Moves = [
  {
    given: `given ->> 'state' IN ('pending', 'running')`,
    columns: ['state', 'result', 'error', 'counts', 'cost', 'run_id', 'started_at', 'finished_at'],
  },
];
