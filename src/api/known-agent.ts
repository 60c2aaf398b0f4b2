import { findAgents, registerAgent } from '../store/agents';
import { writeAudit } from '../store/audit';
import { readSettings } from '../store/settings';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { badRequest } from './problem';

/**
 * A runtime may ask for an agent before its first event: the agent is registered at first sight, as an
 * event would, unless the policy forbids it.
 * @throws Problem 400 where nobody reads, or the agent may not be registered.
 */
export async function requireReader(deps: ApiDependencies, caller: Caller): Promise<void> {
  const { context } = caller;
  if (context.agent === null) {
    if (context.principal.kind === 'person') return;
    throw badRequest("name the agent that reads: a runtime's key adds Cairn-Agent");
  }
  if (caller.agentKnown) return;
  const agent = context.agent;
  await deps.database.inWorkspace(context.workspace, async (tx) => {
    const settings = await readSettings(tx);
    const mayRegister =
      context.principal.kind === 'agent' || settings?.policy.capture.auto_register_agents === true;
    if (!mayRegister) throw badRequest('Cairn-Agent names an agent this workspace does not know');
    const now = deps.clock();
    const made = await registerAgent(tx, {
      id: agent,
      team: null,
      parent: null,
      registeredBy: context.principal.kind === 'agent' ? 'agent' : 'runtime',
      now,
    });
    if (made === null) {
      if ((await findAgents(tx, [agent])).size === 0) throw new Error('an agent vanished');
      return;
    }
    await writeAudit(tx, {
      at: now,
      actor: context.principal,
      action: 'agent.registered',
      target: { type: 'agent', id: agent },
      channel: caller.channel,
    });
  });
}
