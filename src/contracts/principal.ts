import type { ExecutionMode, MemoryMode, PersonRole, PrincipalKind } from './names';

/** Who a credential stands for. `role` is set for people only. */
export interface Principal {
  kind: PrincipalKind;
  id: string;
  role: PersonRole | null;
  /** The owner key of the installation: it may make workspaces, and also act as a runtime. */
  bootstrap: boolean;
}

/**
 * Built once at the edge and carried whole through every call.
 * Scope is derived from it, never from a body or a tool argument.
 */
export interface ReadContext {
  workspace: string;
  principal: Principal;
  /** The agent that reads or writes; null for a person who names none. */
  agent: string | null;
  /** The person acted for. */
  person: string | null;
  execution_mode: ExecutionMode;
  session: string | null;
}

export interface Agent {
  id: string;
  team: string | null;
  parent_agent: string | null;
  depth: number;
  agent_type: string | null;
  memory_mode: MemoryMode;
  restricted: boolean;
  succeeds: string | null;
  writes_stopped: boolean;
  created_at: string;
}

export interface Team {
  id: string;
  name: string;
  created_at: string;
}

export interface Person {
  id: string;
  name: string;
  /** The workspace's pseudonym of the address, e.g. `[EMAIL_K3…]`. */
  email: string | null;
  role: PersonRole;
  subject: string | null;
  created_at: string;
}

export interface Subject {
  id: string;
  name: string | null;
  kind: string | null;
  household: string | null;
  memory: 'on' | 'off';
  created_at: string;
}

export interface Project {
  id: string;
  name: string | null;
  status: 'open' | 'closed';
  closed_at: string | null;
  created_at: string;
}

export interface AgentGroup {
  id: string;
  members: string[];
  created_at: string;
}

export interface Workspace {
  id: string;
  name: string;
  memory_mode: MemoryMode;
  created_at: string;
}

export interface ApiKey {
  id: string;
  principal: { kind: PrincipalKind; id: string };
  name: string | null;
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
  /** Of this key alone; null where the policy's number holds. */
  requests_per_minute: number | null;
  /** The key whose place it took when that was rotated. */
  replaces: string | null;
}
