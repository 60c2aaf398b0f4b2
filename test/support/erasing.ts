import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createErasureActivities, type ErasureActivities } from '../../src/activities/erasure';
import { erasureVerifying } from '../../src/activities/erasure-verifying';
import type { Clock } from '../../src/contracts/clock';
import {
  type EraseInput,
  type EraseResult,
  type Erasure,
  type ErasureSelector,
  WALK_STAGES,
} from '../../src/contracts/erasure';
import { workspaceHasher } from '../../src/intake/hashing';
import { tombstoneHash } from '../../src/intake/tombstone-hash';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import type { Database } from '../../src/store/database';
import { type ErasureRoot, requestErasure } from '../../src/store/erasure-requests';
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
  await stepThrough(activitiesOf({ ...lane.api, clock: lane.clock.now }, input, before), input);
  const { status, body, text } = await lane.api.call('GET', `/v1/erasures/${input.erasure_id}`);
  if (status !== 200) throw new Error(`no erasure: ${text}`);
  return body as Erasure;
}

/** Of any workspace, without the API: asked for and done, step by step. @returns its record as a workflow ends with it */
export async function erasedIn(
  erasing: Erasing,
  workspace: string,
  roots: readonly ErasureRoot[],
): Promise<EraseResult> {
  const input = await askedIn(erasing, workspace, roots);
  return await stepThrough(
    activitiesOf(erasing, input, async () => {}),
    input,
  );
}

/** The same, asked for and not begun. @returns the input of its workflow, which the outbox starts */
export async function askedIn(
  { database, secretKey, clock }: Erasing,
  workspace: string,
  roots: readonly ErasureRoot[],
  reason: string | null = null,
): Promise<EraseInput> {
  const hasher = workspaceHasher(secretKey, workspace);
  const accepted = await database.inWorkspace(workspace, (tx) =>
    requestErasure(tx, {
      ...{ roots, dryRun: false, legalBasis: null, reason, channel: 'api', now: clock() },
      by: { kind: 'person', id: 'owner' },
      hash: (kind, id) => tombstoneHash(hasher, kind, id),
    }),
  );
  return { workspace, ...accepted };
}

async function stepThrough(steps: ErasureActivities, input: EraseInput): Promise<EraseResult> {
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
  return await steps.closeErasure(input);
}

interface Erasing {
  database: Database;
  secretKey: string;
  clock: Clock;
}

function activitiesOf(
  { database, secretKey, clock }: Erasing,
  { workspace, erasure_id }: EraseInput,
  before: (step: string) => Promise<void>,
): ErasureActivities {
  const activities = createErasureActivities({
    ...{ database, clock, embedder: createHashedEmbedder(), secretKey },
    verifying: erasureVerifying({ database, histories: null, files: null, secretKey }),
  });
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: `erase/${workspace}/${erasure_id}`, runId: randomUUID() },
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
