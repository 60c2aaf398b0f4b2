-- What reflections found, what the gate decided of it, and how what was approved has done since.

CREATE TABLE reflections (
  workspace_id   text NOT NULL,
  id             text NOT NULL,
  run_id         text NOT NULL,
  type           text NOT NULL CHECK (type IN ('fact', 'skill', 'link')),
  -- Whom and what it is about, as a hash: of one matter one is kept.
  matter_hash    text NOT NULL,
  -- What was found, in words; null once it was erased.
  draft          jsonb,
  -- The cards that it rests on.
  sources        text[] NOT NULL,
  confidence     double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  -- Different events, and different agents.
  evidence       int NOT NULL,
  agents         int NOT NULL,
  -- By the gate, or by the person it was escalated to.
  decision       text NOT NULL CHECK (decision IN ('approved', 'rejected', 'escalated')),
  -- The rule of the policy that decided, from 0; null where none matched.
  rule           int,
  reason         text NOT NULL,
  -- What came of it.
  card_id        text,
  edge_id        text,
  proposal_id    text,
  created_at     timestamptz NOT NULL,
  decided_at     timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, run_id) REFERENCES runs (workspace_id, id)
);
CREATE INDEX reflections_by_matter ON reflections (workspace_id, matter_hash, created_at);
CREATE INDEX reflections_by_source ON reflections USING gin (sources);

-- What was approved is watched: outcomes that turn against it demote it.
CREATE TABLE watches (
  workspace_id   text NOT NULL,
  card_id        text NOT NULL,
  -- Null of what another pass approved.
  reflection_id  text,
  -- Since when outcomes count: since it was approved, or demoted.
  since          timestamptz NOT NULL,
  turned_against int NOT NULL DEFAULT 0,
  borne_out      int NOT NULL DEFAULT 0,
  demotions      int NOT NULL DEFAULT 0,
  demoted_at     timestamptz,
  looked_at      timestamptz,
  PRIMARY KEY (workspace_id, card_id),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id)
);

-- How far each scope was reflected on.
CREATE TABLE reflected_scopes (
  workspace_id text NOT NULL REFERENCES workspaces,
  scope_type   text NOT NULL CHECK (scope_type IN ('agent', 'team', 'workspace')),
  scope_id     text NOT NULL,
  -- The last card that was looked at, by when it was recorded.
  read_to      timestamptz NOT NULL,
  read_id      text NOT NULL,
  -- When a quiet time last started a reflection.
  quiet_at     timestamptz,
  PRIMARY KEY (workspace_id, scope_type, scope_id)
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['reflections', 'watches', 'reflected_scopes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;
