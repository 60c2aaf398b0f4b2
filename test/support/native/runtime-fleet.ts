import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { startApi, type TestApi } from '../api';
import { type Fleet, makeFleet } from '../fleet';
import { createDevServerEnv } from '../temporal';
import { runtimeBundle } from './runtime-lane';

/** An API with a small fleet, beside the Temporal of its runtime, which ends when the API is closed. */
export interface RuntimeFleet {
  api: TestApi;
  env: TestWorkflowEnvironment;
  fleet: Fleet;
}

export async function startRuntimeFleet(): Promise<RuntimeFleet> {
  const [api, env] = await Promise.all([startApi(), createDevServerEnv(), runtimeBundle()]);
  const close = async () => {
    await env.teardown();
    await api.close();
  };
  return { api: { ...api, close }, env, fleet: await makeFleet(api) };
}
