import type { MemoryClient as Mem0Client } from 'mem0ai';
import { startApi, type TestApi } from './api';

// Read when the module is loaded: the client reports its calls to its maker unless it is told not to.
process.env.MEM0_TELEMETRY = 'false';
const { MemoryClient } = require('mem0ai') as typeof import('mem0ai');

/**
 * mem0's own client, as it comes from npm, pointed at an API of ours.
 *
 * @example
 * const client = mem0(api, api.ownerKey);
 * await client.add([{ role: 'user', content: 'I love hiking' }], { userId: 'ann' });
 */
export function mem0(api: { url: string }, apiKey: string): Mem0Client {
  return new MemoryClient({ apiKey, host: api.url });
}

/** An API, and the key of an agent of it. */
export interface Mem0Api extends TestApi {
  key: string;
}

/** An API of its own for the file, on which this agent has a key. */
export async function startMem0(agent: string): Promise<Mem0Api> {
  const api = await startApi();
  return { ...api, key: await api.keyFor({ kind: 'agent', id: agent }) };
}

/** What a user says, in the client's own shape. */
export const said = (content: string) => [{ role: 'user' as const, content }];

/** What the client makes of an answer; its own types say less than it gives. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
export type Given = any;

/** What of an error of the client's a program looks at, and the problem that it carries as its text. */
export async function refusal(call: Promise<unknown>): Promise<{
  name: string;
  errorCode: string;
  problem: { status: number; code: string; detail: string };
}> {
  try {
    await call;
  } catch (error) {
    const { name, errorCode, message } = error as Error & { errorCode: string };
    return { name, errorCode, problem: JSON.parse(message) };
  }
  throw new Error('the call was not refused');
}
