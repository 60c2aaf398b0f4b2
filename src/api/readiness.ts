import type { Client } from '@temporalio/client';
import { TASK_QUEUES, WORKER_DEPLOYMENT } from '../contracts/task-queues';
import type { Database } from '../store/database';

/** How long `/readyz` waits for Temporal: an operator's probe has a deadline of its own. */
const READINESS_DEADLINE_MS = 2_000;
/**
 * A poll lasts a minute at most, and a worker that lives asks again at once. Temporal itself remembers a
 * poller for five minutes, however it ended.
 */
const POLLED_MS = 90_000;
/** Kinds of queue in Temporal's protocol. */
const WORKFLOW_TASKS = 1;
const ACTIVITY_TASKS = 2;
/** `WORKER_VERSIONING_MODE_VERSIONED` of Temporal's protocol. */
const VERSIONED = 2;

/** What is missing, a sentence a part; null where nothing is. */
export async function readiness(
  database: Database,
  client: Client,
): Promise<Record<'postgres' | 'temporal' | 'workers', string | null>> {
  const postgres = await database.ping().then(
    () => null,
    () => 'Postgres does not answer',
  );
  const workers = await pollersOf(client);
  return { postgres, ...workers };
}

/** A queue without a poller has no worker; that Temporal answers at all comes along. */
async function pollersOf(
  client: Client,
): Promise<{ temporal: string | null; workers: string | null }> {
  try {
    const lacking: string[] = [];
    let idle = false;
    for (const [queue, type] of [
      [TASK_QUEUES.workflows, WORKFLOW_TASKS],
      [TASK_QUEUES.db, ACTIVITY_TASKS],
    ] as const) {
      const answer = await client.withDeadline(Date.now() + READINESS_DEADLINE_MS, () =>
        client.workflowService.describeTaskQueue({
          namespace: client.options.namespace,
          taskQueue: { name: queue },
          taskQueueType: type,
        }),
      );
      const polling = (answer.pollers ?? []).filter(
        ({ lastAccessTime }) =>
          Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < POLLED_MS,
      );
      if (!polling.some((poller) => isGivenTasks(poller, answer.versioningInfo))) {
        lacking.push(queue);
        idle ||= polling.length > 0;
      }
    }
    return { temporal: null, workers: lacking.length === 0 ? null : adviceFor(lacking, idle) };
  } catch {
    return {
      temporal: 'Temporal does not answer',
      workers: 'unknown while Temporal does not answer',
    };
  }
}

type QueueAnswer = Awaited<ReturnType<Client['workflowService']['describeTaskQueue']>>;

/** New work goes to one version, or to workers without any: the others poll, and are given none of it. */
function isGivenTasks(
  { deploymentOptions }: QueueAnswer['pollers'][number],
  versions: QueueAnswer['versioningInfo'],
): boolean {
  const isVersioned = deploymentOptions?.workerVersioningMode === VERSIONED;
  const current = versions?.currentDeploymentVersion ?? null;
  if (current === null) return !isVersioned;
  return isVersioned && deploymentOptions?.buildId === current.buildId;
}

function adviceFor(lacking: readonly string[], idle: boolean): string {
  if (!idle) return `no worker polls ${lacking.join(', ')}; start \`cairn worker\``;
  const command = `temporal worker deployment set-current-version --deployment-name ${WORKER_DEPLOYMENT} --build-id …`;
  return `the workers that poll ${lacking.join(', ')} are not of the current version: ${command}`;
}
