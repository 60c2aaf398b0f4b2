import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createCairnActivities } from '../../../src/adapters/temporal/activities';
import type { RecalledContext, WorkflowRecall } from '../../../src/contracts/runtime-memory';
import { WIDE } from './recalling';
import { type Door, isLive, type Reader, type Surface } from './surface';

/** The activity that a workflow of a runtime recalls by, as its worker runs it. */

const quiet = { logger: new DefaultLogger('ERROR', () => undefined) };

async function recall(
  door: Door,
  { key, agent, person }: Reader,
  request: WorkflowRecall,
): Promise<RecalledContext> {
  const { cairnRecall } = createCairnActivities({ url: door.url, key });
  const input = {
    request,
    ...(agent === null ? {} : { agent }),
    ...(person === null ? {} : { person }),
  };
  const activity = new MockActivityEnvironment({}, quiet);
  const answer = (await activity.run(() => cairnRecall(input))) as RecalledContext | null;
  if (answer === null) throw new Error('nothing was said of an earlier context');
  return answer;
}

async function refusal(door: Door, reader: Reader, more: object): Promise<number> {
  try {
    await recall(door, reader, { ...WIDE, ...more });
    return 200;
  } catch (error) {
    const isRefused = error instanceof ApplicationFailure && error.type === 'invalid';
    return isRefused && error.nonRetryable === true ? 400 : 500;
  }
}

export const RUNTIME: readonly Surface[] = [
  {
    name: 'a workflow’s recall, its cards',
    routes: ['POST /v1/recall'],
    shows: isLive,
    read: async (door, reader) => {
      const answer = await recall(door, reader, WIDE);
      return { ids: answer.cards.map(({ id }) => id), text: JSON.stringify(answer) };
    },
    unknown: (door, reader) =>
      Promise.all(
        [{ colour: 'red' }, { scope: 'workspace' }, { filters: { agent: 'writer' } }].map((more) =>
          refusal(door, reader, more),
        ),
      ),
  },
  {
    name: 'a workflow’s recall, its context',
    routes: ['POST /v1/recall'],
    shows: isLive,
    read: async (door, reader, cards) => {
      const answer = await recall(door, reader, WIDE);
      const shown = cards.filter(({ summary }) => answer.context.includes(summary));
      return { ids: shown.map(({ id }) => id), text: JSON.stringify(answer) };
    },
  },
];
