import { startApi, type TestApi, type TestApiOptions } from './api';
import { type Fleet, makeFleet } from './fleet';
import { McpSession } from './mcp';

/** A small fleet, of which two agents of one team have a session open; closing the API closes them first. */
export interface McpFleet {
  api: TestApi;
  fleet: Fleet;
  planner: McpSession;
  coder: McpSession;
}

/**
 * @example
 * let { api, planner } = {} as McpFleet;
 * beforeAll(async () => { ({ api, planner } = await startMcpFleet()); });
 * afterAll(() => api.close());
 */
export async function startMcpFleet(options: TestApiOptions = {}): Promise<McpFleet> {
  const api = await startApi(options);
  const fleet = await makeFleet(api);
  const planner = await McpSession.http(api, fleet.planner);
  const coder = await McpSession.http(api, fleet.coder);
  const close = async () => {
    await planner.close();
    await coder.close();
    await api.close();
  };
  return { api: { ...api, close }, fleet, planner, coder };
}
