import type { ApiDependencies } from '../app';
import type { Caller } from '../authentication';
import { requireReader } from '../known-agent';
import { badRequest } from '../problem';
import type { Access } from '../roles';

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

/**
 * What comes through a tool is the agent's word, whoever holds the key: a person who lets a model write with their
 * key has not said it themselves. Reading stays the person's, with the agent's eyes.
 * @throws Problem 400 where the agent may not be registered.
 */
export async function speaking(
  deps: ApiDependencies,
  caller: Caller,
  access: Access,
): Promise<Caller> {
  const { agent, principal } = caller.context;
  if (access === 'read' || agent === null || principal.kind !== 'person') return caller;
  await requireReader(deps, caller);
  const itself = { kind: 'agent' as const, id: agent, role: null, bootstrap: false };
  return { ...caller, agentKnown: true, context: { ...caller.context, principal: itself } };
}
