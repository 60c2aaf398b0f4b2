import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createErasureActivities, type ErasureActivities } from '../../src/activities/erasure';
import { erasureVerifying } from '../../src/activities/erasure-verifying';
import {
  type EraseInput,
  type Erasure,
  type ErasureSelector,
  WALK_STAGES,
} from '../../src/contracts/erasure';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import type { RecallLane } from './filing';

const WORKSPACE = 'default';
const MOST_ROUNDS = 20;

type Lane = Pick<RecallLane, 'api' | 'clock'>;

export interface ErasingOptions {
  dry_run?: boolean;
  reason?: string;
  key?: string;
  /** Called before each step of the workflow, with its name; what it throws ends the erasure there. */
  before?: (step: string) => Promise<void>;
}

/** Asks for an erasure over HTTP. @returns the input of its workflow */
export async function askedErasure(
  { api }: Lane,
  selector: ErasureSelector | undefined,
  { dry_run, reason, key }: ErasingOptions = {},
): Promise<EraseInput> {
  const body = { ...(selector === undefined ? {} : { selector }), dry_run, reason };
  const answer = await api.call('POST', '/v1/erasures', {
    ...(key === undefined ? {} : { key }),
    body,
  });
  if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
  return { workspace: WORKSPACE, ...answer.body };
}

/** An erasure of the lane's workspace, step by step as its workflow does it, and its record. */
export async function erased(
  lane: Lane,
  selector: ErasureSelector | undefined,
  options: ErasingOptions = {},
): Promise<Erasure> {
  const input = await askedErasure(lane, selector, options);
  return await erasedBy(lane, input, options);
}

/** Goes on with an erasure that was asked for, from its beginning, as a workflow that was started again. */
export async function erasedBy(
  lane: Lane,
  input: EraseInput,
  { before = async () => {} }: Pick<ErasingOptions, 'before'> = {},
): Promise<Erasure> {
  const steps = activitiesOf(lane, input, before);
  const { dry_run: isDry, open } = await steps.beginErasure(input);
  if (open) {
    const stages = isDry ? WALK_STAGES.slice(0, 3) : WALK_STAGES;
    for (let touched = 1; touched > 0; ) {
      const { round } = await steps.beginErasureRound(input);
      if (round > MOST_ROUNDS)
        throw new Error('the walks of an erasure find something again and again');
      touched = 0;
      for (const stage of stages) {
        for (let more = true; more; ) {
          const batch = await steps.eraseBatch({ ...input, stage });
          touched += batch.touched;
          more = batch.more;
        }
      }
      if (isDry) break;
    }
    if (!isDry) {
      await steps.eraseBatch({ ...input, stage: 'directory' });
      await steps.searchErased(input);
    }
  }
  await steps.closeErasure(input);
  const { status, body, text } = await lane.api.call('GET', `/v1/erasures/${input.erasure_id}`);
  if (status !== 200) throw new Error(`no erasure: ${text}`);
  return body as Erasure;
}

function activitiesOf(
  { api, clock }: Lane,
  { erasure_id }: EraseInput,
  before: (step: string) => Promise<void>,
): ErasureActivities {
  const { database, secretKey } = api;
  const activities = createErasureActivities({
    ...{ database, clock: clock.now, embedder: createHashedEmbedder(), secretKey },
    verifying: erasureVerifying({ database, histories: null, files: null, secretKey }),
  });
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: `erase/${WORKSPACE}/${erasure_id}`, runId: randomUUID() },
  });
  const around = Object.entries(activities).map(([name, run]) => [
    name,
    async (input: EraseInput & { stage?: string }) => {
      await before(input.stage ?? name);
      return await environment.run(run as never, input as never);
    },
  ]);
  return Object.fromEntries(around) as ErasureActivities;
}
