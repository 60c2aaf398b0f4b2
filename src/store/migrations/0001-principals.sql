-- Tenants, the principals inside them, and the credentials that stand for them.
-- Every key starts with workspace_id, so that each table can be distributed on it later.

CREATE EXTENSION IF NOT EXISTS vector;

-- The role of every query that serves somebody: it cannot bypass row-level security.
DO $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'cairn_app') THEN
    CREATE ROLE cairn_app NOLOGIN NOBYPASSRLS;
  END IF;
  EXECUTE format('GRANT cairn_app TO %I', current_user);
END
$$;

CREATE TABLE workspaces (
  workspace_id text PRIMARY KEY CHECK (workspace_id ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  name         text NOT NULL,
  memory_mode  text NOT NULL DEFAULT 'automatic' CHECK (memory_mode IN ('automatic', 'manual', 'off')),
  created_at   timestamptz NOT NULL
);

CREATE TABLE teams (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  name         text NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE agents (
  workspace_id   text NOT NULL REFERENCES workspaces,
  id             text NOT NULL,
  team_id        text,
  parent_agent   text,
  depth          int  NOT NULL DEFAULT 0 CHECK (depth >= 0),
  agent_type     text,
  memory_mode    text NOT NULL DEFAULT 'automatic' CHECK (memory_mode IN ('automatic', 'manual', 'off')),
  restricted     boolean NOT NULL DEFAULT false,
  succeeds       text,
  writes_stopped boolean NOT NULL DEFAULT false,
  registered_by  text NOT NULL CHECK (registered_by IN ('person', 'agent', 'runtime')),
  created_at     timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, id),
  FOREIGN KEY (workspace_id, parent_agent) REFERENCES agents (workspace_id, id),
  CHECK (parent_agent IS DISTINCT FROM id)
);
CREATE INDEX agents_by_team ON agents (workspace_id, team_id);
CREATE INDEX agents_by_parent ON agents (workspace_id, parent_agent);

CREATE TABLE subjects (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  name         text,
  kind         text,
  household    text,
  memory       text NOT NULL DEFAULT 'on' CHECK (memory IN ('on', 'off')),
  redact_name  boolean NOT NULL DEFAULT false,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- email_token is the workspace's pseudonym for the address; the address itself is never kept.
CREATE TABLE people (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  name         text NOT NULL,
  email_token  text,
  role         text NOT NULL CHECK (role IN ('owner', 'operator', 'reviewer', 'auditor', 'member')),
  subject_id   text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, subject_id) REFERENCES subjects (workspace_id, id)
);

CREATE TABLE projects (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  name         text,
  status       text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
  closed_at    timestamptz,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- A session is what recalls and final events meet in: a recalled card is proven useful
-- when the session's final event, later than the recall, worked.
CREATE TABLE sessions (
  workspace_id  text NOT NULL REFERENCES workspaces,
  id            text NOT NULL,
  root_agent    text NOT NULL,
  started_at    timestamptz NOT NULL,
  final_at      timestamptz,
  final_outcome text CHECK (final_outcome IN ('worked', 'failed', 'blocked', 'neutral')),
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE agent_groups (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE group_members (
  workspace_id text NOT NULL,
  group_id     text NOT NULL,
  agent_id     text NOT NULL,
  PRIMARY KEY (workspace_id, group_id, agent_id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES agent_groups (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id)
);

-- Only the SHA-256 of a key is kept: a key has 256 random bits, so a slow hash adds nothing.
CREATE TABLE api_keys (
  workspace_id   text NOT NULL REFERENCES workspaces,
  id             text NOT NULL,
  key_hash       bytea NOT NULL,
  principal_kind text NOT NULL CHECK (principal_kind IN ('person', 'agent', 'runtime')),
  principal_id   text NOT NULL,
  name           text,
  bootstrap      boolean NOT NULL DEFAULT false,
  created_at     timestamptz NOT NULL,
  expires_at     timestamptz,
  revoked_at     timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (key_hash);

CREATE TABLE policies (
  workspace_id text NOT NULL REFERENCES workspaces,
  version      int  NOT NULL CHECK (version >= 1),
  document     jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, version)
);

-- The status and the ids of an earlier answer; never its body.
CREATE TABLE idempotency (
  workspace_id text NOT NULL REFERENCES workspaces,
  principal    text NOT NULL,
  key          text NOT NULL,
  request_hash bytea NOT NULL,
  status       int NOT NULL,
  resource     jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, principal, key)
);
