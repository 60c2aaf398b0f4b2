-- Working memory: what an agent and its sub-agents put down for each other while a session lasts.

ALTER TABLE sessions
  ADD COLUMN ended_at  timestamptz,
  -- `final`: by an event that says so, which does not bind an ancestor who joins only then; `asked`: for good.
  ADD COLUMN ended_by  text CHECK (ended_by IN ('final', 'asked')),
  -- When something last happened in it, to the hour; null where it only began.
  ADD COLUMN active_at timestamptz,
  -- Every write of its blackboard counts, so that no version comes twice, a crash or not.
  ADD COLUMN writes    bigint NOT NULL DEFAULT 0;

-- Not in the write-ahead log: it is in no replica and in no backup made from the log, and empty after a crash.
CREATE UNLOGGED TABLE blackboard (
  workspace_id text NOT NULL,
  session_id   text NOT NULL,
  key          text NOT NULL,
  -- Redacted.
  value        jsonb NOT NULL,
  bytes        int NOT NULL CHECK (bytes > 0),
  version      bigint NOT NULL,
  writer_kind  text NOT NULL CHECK (writer_kind IN ('person', 'agent')),
  writer_id    text NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, session_id, key),
  FOREIGN KEY (workspace_id, session_id) REFERENCES sessions (workspace_id, id)
);

ALTER TABLE blackboard ENABLE ROW LEVEL SECURITY;
ALTER TABLE blackboard FORCE ROW LEVEL SECURITY;
CREATE POLICY blackboard_of_workspace ON blackboard
  USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON blackboard TO cairn_app;

-- An agent, 0 hops away, and whoever spawned it, at any depth; a circle is walked once.
CREATE FUNCTION spawned_by(p_workspace text, p_agent text)
  RETURNS TABLE (id text, hops int) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE up AS (
    SELECT a.id, a.parent_agent, 0 AS hops, ARRAY[a.id] AS path
      FROM agents a
     WHERE a.workspace_id = p_workspace AND a.id = p_agent
    UNION ALL
    SELECT a.id, a.parent_agent, up.hops + 1, up.path || a.id
      FROM up
      JOIN agents a ON a.workspace_id = p_workspace AND a.id = up.parent_agent
     WHERE a.id <> ALL (up.path)
  )
  SELECT up.id, up.hops FROM up
$$;
