-- What a restricted agent posts: it waits here until its parent, or a person, decides.

CREATE TABLE pending_writes (
  workspace_id    text NOT NULL,
  id              text NOT NULL,
  -- The restricted agent that posted it.
  agent_id        text NOT NULL,
  type            text NOT NULL CHECK (type IN ('card', 'note', 'memory')),
  status          text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'accepted', 'rejected', 'expired')),
  -- The content of the card, redacted. Null once it was decided: then the card has it, or nobody.
  content         jsonb,
  session         text,
  created_at      timestamptz NOT NULL,
  decided_at      timestamptz,
  -- Null where nobody decided in time.
  decided_by_kind text CHECK (decided_by_kind IN ('person', 'agent', 'runtime')),
  decided_by_id   text,
  -- Of `reasons`, where it can be erased.
  reason_id       text,
  card_id         text,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id),
  CHECK ((content IS NOT NULL) = (status = 'waiting')),
  CHECK ((decided_at IS NULL) = (status = 'waiting')),
  CHECK ((card_id IS NOT NULL) = (status = 'accepted'))
);
CREATE INDEX pending_writes_by_agent ON pending_writes (workspace_id, agent_id, created_at DESC, id);
CREATE INDEX pending_writes_by_time ON pending_writes (workspace_id, created_at DESC, id);
CREATE INDEX pending_writes_waiting ON pending_writes (workspace_id, created_at) WHERE status = 'waiting';

ALTER TABLE pending_writes ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending_writes FORCE ROW LEVEL SECURITY;
CREATE POLICY pending_writes_of_workspace ON pending_writes
  USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_writes TO cairn_app;
