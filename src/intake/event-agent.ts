import type { Refused } from '../contracts/event';
import { type AgentRow, adopt, findAgents, registerAgent } from '../store/agents';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import type { WorkspaceSettings } from '../store/settings';
import type { Reporting } from './intake';
import type { PreparedEvent } from './prepare';

/** The event's agent, registered where it is new and may be; a refusal where it may not write. */
export async function agentFor(
  tx: Tx,
  by: Reporting,
  settings: WorkspaceSettings,
  prepared: PreparedEvent,
  known: Map<string, AgentRow>,
  now: Date,
): Promise<AgentRow | Refused> {
  const { event } = prepared;
  const asRuntime = by.principal.kind !== 'agent';
  if (!asRuntime && event.agent !== by.principal.id) {
    return conflict('/agent', "an agent's key reports its own work only");
  }
  if (!asRuntime && (event.team !== undefined || event.parent_agent !== undefined)) {
    return conflict(
      event.team === undefined ? '/parent_agent' : '/team',
      "team and parent come from a runtime's key only; leave them out",
    );
  }
  const before = known.get(event.agent);
  const found =
    before === undefined
      ? await register(tx, by, settings, prepared, known, now)
      : await firstSeen(tx, by, prepared, before, known, now);
  if ('code' in found) return found;
  if (event.team !== undefined && event.team !== found.team_id) {
    return conflict('/team', 'the agent belongs to another team; change it with PUT /v1/agents');
  }
  if (event.parent_agent !== undefined && event.parent_agent !== found.parent_agent) {
    return conflict(
      '/parent_agent',
      'the agent has another parent; it is set when it is first seen',
    );
  }
  return found;
}

/** The agent as it stands; with the team and the parent of its first event, where this is it. */
async function firstSeen(
  tx: Tx,
  by: Reporting,
  prepared: PreparedEvent,
  agent: AgentRow,
  known: Map<string, AgentRow>,
  now: Date,
): Promise<AgentRow> {
  const { team = null, parent_agent: parent = null } = prepared.event;
  const changed = [
    ...(team !== null && agent.team_id === null ? ['team'] : []),
    ...(parent !== null && agent.parent_agent === null ? ['parent_agent'] : []),
  ];
  if (changed.length === 0) return agent;
  const adopted = await adopt(tx, agent.id, { team, parent }, now);
  if (adopted === null) return agent;
  known.set(agent.id, adopted);
  await writeAudit(tx, {
    at: now,
    actor: by.principal,
    action: 'agent.updated',
    target: { type: 'agent', id: agent.id },
    changed,
    channel: 'api',
  });
  return adopted;
}

async function register(
  tx: Tx,
  by: Reporting,
  settings: WorkspaceSettings,
  prepared: PreparedEvent,
  known: Map<string, AgentRow>,
  now: Date,
): Promise<AgentRow | Refused> {
  const { event } = prepared;
  if (by.principal.kind === 'runtime' && !settings.policy.capture.auto_register_agents) {
    return conflict('/agent', 'unknown agent, and the policy forbids registering one on sight');
  }
  if (event.parent_agent === event.agent) {
    return conflict('/parent_agent', 'an agent is not its own parent');
  }
  const made = await registerAgent(tx, {
    id: event.agent,
    team: event.team ?? null,
    parent: event.parent_agent ?? null,
    registeredBy: by.principal.kind,
    now,
  });
  const row = made ?? (await findAgents(tx, [event.agent])).get(event.agent);
  if (row === undefined) throw new Error('an agent vanished while it was registered');
  known.set(row.id, row);
  if (made !== null) {
    await writeAudit(tx, {
      at: now,
      actor: by.principal,
      action: 'agent.registered',
      target: { type: 'agent', id: row.id },
      changed: ['team', 'parent_agent'].filter((field) => field in event),
      channel: 'api',
    });
  }
  return row;
}

function conflict(pointer: string, detail: string): Refused {
  return { code: 'agent_conflict', pointer, detail };
}
