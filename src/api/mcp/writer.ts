import type { ApiDependencies } from '../app';
import type { Caller } from '../authentication';
import { requireReader } from '../known-agent';
import { badRequest } from '../problem';

/**
 * No tool takes a scope, so what is written belongs to an agent: the key's own, or the one it names,
 * which is registered at first sight as it is for whoever reads.
 * @throws Problem 400 where there is none.
 */
export async function requireWriter(deps: ApiDependencies, caller: Caller): Promise<void> {
  if (caller.context.agent === null) {
    throw badRequest(
      'this key names no agent, and a tool writes for one: send the header Cairn-Agent, or set CAIRN_AGENT for `cairn mcp`',
    );
  }
  await requireReader(deps, caller);
}
