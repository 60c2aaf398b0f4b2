-- What a person has stopped: nothing comes from it any more until they lift it again.

-- Of an agent the switch itself is agents.writes_stopped; its row here says why and since when.
CREATE TABLE sources (
  workspace_id text NOT NULL REFERENCES workspaces,
  kind         text NOT NULL CHECK (kind IN ('runtime', 'agent', 'service')),
  name         text NOT NULL,
  stopped      boolean NOT NULL,
  -- Erasable; why it was stopped or lifted last.
  reason_id    text,
  created_at   timestamptz NOT NULL,
  changed_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, kind, name)
);
CREATE INDEX agents_stopped ON agents (workspace_id, id) WHERE writes_stopped;

ALTER TABLE sources ENABLE ROW LEVEL SECURITY;
ALTER TABLE sources FORCE ROW LEVEL SECURITY;
CREATE POLICY sources_of_workspace ON sources USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON sources TO cairn_app;

-- Whether a person stopped what this is: the agent that it is of, the key that brings it, or the service
-- that it is about. Each may be null.
CREATE FUNCTION is_stopped(
  p_workspace     text,
  p_agent         text,
  p_reporter_kind text,
  p_reporter      text,
  p_service       text
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM agents a
                  WHERE a.workspace_id = p_workspace AND a.id = p_agent AND a.writes_stopped)
      OR EXISTS (SELECT 1 FROM sources s
                  WHERE s.workspace_id = p_workspace AND s.stopped
                    AND (s.kind = 'runtime' AND p_reporter_kind = 'runtime' AND s.name = p_reporter
                      OR s.kind = 'service' AND s.name = p_service))
$$;
