import { activityInfo } from '@temporalio/activity';
import type {
  ActivityExecuteInput,
  ActivityInboundCallsInterceptor,
  Next,
} from '@temporalio/worker';
import type { Clock } from '../contracts/clock';
import { type Spent, whileCounting } from '../models/spending';
import type { Database } from '../store/database';
import { addModelUse } from '../store/model-usage';
import type { Log } from '../telemetry/logger';

/**
 * Keeps what each activity's calls of language models cost, of those too whose answer was of no use. It is kept beside
 * what the activity does: where it cannot be, the work stands and the count lacks it.
 */
export function spendingInterceptor(
  database: Database,
  clock: Clock,
  log: Log,
): ActivityInboundCallsInterceptor {
  return {
    async execute(
      input: ActivityExecuteInput,
      next: Next<ActivityInboundCallsInterceptor, 'execute'>,
    ): Promise<unknown> {
      const spent: Spent = new Map();
      try {
        return await whileCounting(spent, () => next(input));
      } finally {
        const workspace = workspaceIn(input.args);
        if (spent.size > 0 && workspace !== null) {
          await keep(database, workspace, spent, clock()).catch((error: unknown) => {
            const kind = error instanceof Error ? error.name : 'unknown';
            log.warn({ err: kind }, 'what a model was paid for was not kept');
          });
        }
      }
    },
  };
}

/** Every activity that asks a model is told its workspace by its one argument. */
function workspaceIn([input]: readonly unknown[]): string | null {
  const { workspace = null } = (input ?? {}) as { workspace?: unknown };
  return typeof workspace === 'string' ? workspace : null;
}

async function keep(database: Database, workspace: string, spent: Spent, now: Date): Promise<void> {
  const { activityType: activity } = activityInfo();
  await database.inWorkspace(workspace, async (tx) => {
    for (const [model, { calls, tokens_in, tokens_out }] of spent) {
      const use = { activity, model, calls, inputTokens: tokens_in, outputTokens: tokens_out };
      await addModelUse(tx, use, now);
    }
  });
}
