/**
 * One queue a resource: workflows with their short local activities, Postgres work,
 * and model calls, which have a concurrency of their own.
 */
export const TASK_QUEUES = {
  workflows: 'cairn-workflows',
  db: 'cairn-db',
  model: 'cairn-model',
} as const;

/** What the versions of `cairn worker` are versions of, where worker versioning is on. */
export const WORKER_DEPLOYMENT = 'cairn';

/**
 * Whose tasks Temporal hands out first where more wait than workers take: a person who waits for an answer, then
 * what settles now, then what the night does. 1 is first, 5 last; 3 is what it takes where nothing is said.
 */
export const PRIORITIES = { deciding: 1, capturing: 3, passes: 4 } as const;
