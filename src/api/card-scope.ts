import type { CardScope } from '../contracts/card';
import { type AgentRow, findAgents } from '../store/agents';
import type { Tx } from '../store/database';
import { readTeam } from '../store/teams';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { isPerson } from './card-rights';
import { badRequest, notAllowed, type Problem } from './problem';

/**
 * The agent's own by default. What is wider than one agent is written by people who decide.
 * @throws Problem 400 where the scope has to be named, 403 where it is not the caller's to write.
 */
export function scopeOf(
  deps: ApiDependencies,
  caller: Caller,
  named: CardScope | undefined,
): CardScope {
  const { agent, principal, workspace } = caller.context;
  if (named === undefined) {
    if (agent !== null) return { type: 'agent', id: agent };
    throw badRequest(
      isPerson(caller)
        ? 'scope: a person who names no agent says whose card it is'
        : "name the agent that writes: a runtime's key adds Cairn-Agent",
      '/scope',
    );
  }
  if (named.type === 'agent') {
    const id = deps.pseudonyms.of(workspace, named.id);
    if (isPerson(caller) || id === agent) return { type: 'agent', id };
    throw notAllowed('an agent writes into its own scope only');
  }
  if (!isPerson(caller) || (principal.role !== 'owner' && principal.role !== 'reviewer')) {
    throw notAllowed('a card of a team or of the workspace needs a reviewer or an owner');
  }
  if (named.type === 'workspace' && named.id !== workspace) {
    throw badRequest('scope: the workspace of this key is another one', '/scope/id');
  }
  return named;
}

export interface Place {
  /** Null in a scope that is wider than one agent. */
  agent: AgentRow | null;
}

/** @throws Problem 400 where the scope names nobody. */
export async function placeOf(tx: Tx, scope: CardScope): Promise<Place> {
  switch (scope.type) {
    case 'agent': {
      const agent = (await findAgents(tx, [scope.id])).get(scope.id);
      if (agent === undefined) throw unknownScope('an agent');
      return { agent };
    }
    case 'team':
      if ((await readTeam(tx, scope.id)) === null) throw unknownScope('a team');
      return { agent: null };
    case 'workspace':
      return { agent: null };
    default:
      return scope.type satisfies never;
  }
}

function unknownScope(what: string): Problem {
  return badRequest(`scope: names ${what} this workspace does not know`, '/scope/id');
}
