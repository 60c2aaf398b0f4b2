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
