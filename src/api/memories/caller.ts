import type { FastifyRequest } from 'fastify';
import { labelSchema } from '../../schemas/event';
import { readLatestVersion } from '../../store/card-history';
import type { ApiDependencies } from '../app';
import { askedId } from '../asking';
import { authenticate } from '../authentication';
import { isPerson } from '../card-rights';
import { kept } from '../listing';
import { badRequest, notAllowed } from '../problem';
import { requireAllowed, ruleOf } from '../roles';

/**
 * Whose memory a call of a mem0 client is about. Its clients send no header of ours, so the agent is the key's
 * own, or the `agent_id`, or for a key that acts for agents and names none this one.
 */
export const DEFAULT_AGENT = 'mem0';

/**
 * The agent that writes. A person's key, but for the owner key of the installation, names one.
 * @throws Problem 403 where the key may not act as it, 400 where nobody is named.
 */
export async function actAsWriter(
  deps: ApiDependencies,
  request: FastifyRequest,
  agentId: string | null,
): Promise<void> {
  const { agent, principal } = request.caller.context;
  if (agentId === null && agent !== null) return;
  if (agentId === null && isPerson(request.caller) && !principal.bootstrap) {
    throw badRequest('name the agent that remembers: agent_id', '/agent_id');
  }
  await actAs(deps, request, agentId ?? DEFAULT_AGENT);
}

/** The agent that looks. A person looks with their own eyes, and an agent with its own. */
export async function actAsReader(
  deps: ApiDependencies,
  request: FastifyRequest,
  agentId: string | null,
): Promise<void> {
  const { agent, principal } = request.caller.context;
  if (agent !== null || principal.kind !== 'runtime') return;
  await actAs(deps, request, agentId ?? DEFAULT_AGENT);
}

/** The agent whose memory it is: a runtime may act as any of its agents, and a client names only the id. */
export async function actAsOwner(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string | undefined,
): Promise<void> {
  const { agent, principal, workspace } = request.caller.context;
  if (agent !== null || principal.kind !== 'runtime') return;
  const latest =
    id === undefined
      ? null
      : await deps.database.inWorkspace(workspace, (tx) => readLatestVersion(tx, id));
  await actAs(deps, request, latest?.scope.type === 'agent' ? latest.scope.id : DEFAULT_AGENT);
}

/** Judges the call anew, as one that names this agent in `Cairn-Agent`. */
async function actAs(deps: ApiDependencies, request: FastifyRequest, agentId: string) {
  const { caller, headers, routeOptions } = request;
  const { agent, principal } = caller.context;
  const id = askedId(deps, caller, agentId, '/agent_id');
  if (id === agent) return;
  if (principal.kind === 'agent') {
    throw notAllowed("agent_id: an agent's key remembers as its own agent only; leave it out");
  }
  if (agent !== null) {
    throw badRequest('agent_id names another agent than Cairn-Agent does', '/agent_id');
  }
  const named = { headers: { ...headers, 'cairn-agent': id }, routeOptions };
  request.caller = await authenticate(named, deps);
  const rule = ruleOf(request.method, routeOptions.url ?? '');
  if (rule !== undefined) requireAllowed(rule, request.caller);
}

/** `run_id` is the session of what is written. @throws Problem 400, or 422 where it holds what no label may. */
export function inRun(deps: ApiDependencies, request: FastifyRequest, runId: string | null): void {
  if (runId === null) return;
  const { caller } = request;
  if (!labelSchema.safeParse(runId).success) {
    throw badRequest('run_id: must be 1 to 200 printable characters', '/run_id');
  }
  const session = kept(() => deps.pseudonyms.label(caller.context.workspace, runId), '/run_id');
  request.caller = { ...caller, context: { ...caller.context, session } };
}
