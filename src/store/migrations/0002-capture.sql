-- What settled, what became of it, and what still has to be sent to Temporal.

-- A switched-off, transient or sensitive event keeps its id, its agent and a keyed hash, nothing else.
CREATE TABLE events (
  workspace_id  text NOT NULL REFERENCES workspaces,
  event_id      text NOT NULL,
  agent_id      text NOT NULL,
  reporter_kind text NOT NULL CHECK (reporter_kind IN ('person', 'agent', 'runtime')),
  reporter_id   text NOT NULL,
  kind          text CHECK (kind IN ('service_call', 'chat', 'workflow_step', 'delegation', 'failure', 'observation')),
  outcome       text CHECK (outcome IN ('worked', 'failed', 'blocked', 'neutral')),
  occurred_at   timestamptz,
  recorded_at   timestamptz NOT NULL,
  payload       jsonb,
  content_hash  bytea NOT NULL,
  dedupe_hash   bytea,
  redactions    jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, event_id)
);
CREATE INDEX events_by_recording ON events (workspace_id, recorded_at DESC, event_id);
CREATE INDEX events_by_agent ON events (workspace_id, agent_id, recorded_at DESC, event_id);
CREATE INDEX events_by_content ON events (workspace_id, dedupe_hash) WHERE dedupe_hash IS NOT NULL;

-- An event never changes; its payload may only be dropped (retention, erasure).
CREATE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.payload IS NOT NULL AND NEW.payload IS DISTINCT FROM OLD.payload
     OR (to_jsonb(NEW) - 'payload') IS DISTINCT FROM (to_jsonb(OLD) - 'payload') THEN
    RAISE EXCEPTION 'an event is append-only: only its payload may be dropped';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER events_are_immutable BEFORE UPDATE ON events
  FOR EACH ROW EXECUTE FUNCTION refuse_event_change();

CREATE TABLE captures (
  workspace_id  text NOT NULL,
  event_id      text NOT NULL,
  operation_id  text NOT NULL,
  workflow_id   text NOT NULL,
  disposition   text NOT NULL CHECK (disposition IN ('pending', 'carded', 'mode_off', 'mode_manual', 'transient',
                  'sensitive', 'quarantined', 'duplicate_content', 'erased', 'failed')),
  reason        text,
  card_id       text,
  needs_distill boolean NOT NULL DEFAULT false,
  needs_embed   boolean NOT NULL DEFAULT false,
  dedupe_hash   bytea,
  created_at    timestamptz NOT NULL,
  settled_at    timestamptz,
  PRIMARY KEY (workspace_id, event_id),
  FOREIGN KEY (workspace_id, event_id) REFERENCES events (workspace_id, event_id),
  CHECK ((disposition = 'carded') = (card_id IS NOT NULL)),
  CHECK ((disposition = 'pending') = (settled_at IS NULL))
);
CREATE UNIQUE INDEX captures_one_card_per_content ON captures (workspace_id, dedupe_hash)
  WHERE disposition = 'carded' AND dedupe_hash IS NOT NULL;
CREATE INDEX captures_pending ON captures (workspace_id, created_at) WHERE disposition = 'pending';
CREATE INDEX captures_to_embed ON captures (workspace_id, event_id) WHERE needs_embed;
CREATE INDEX captures_to_distill ON captures (workspace_id, event_id) WHERE needs_distill;

CREATE TABLE capture_drafts (
  workspace_id text NOT NULL,
  event_id     text NOT NULL,
  draft        jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, event_id),
  FOREIGN KEY (workspace_id, event_id) REFERENCES events (workspace_id, event_id)
);

CREATE TABLE runs (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  type         text NOT NULL,
  scope_type   text CHECK (scope_type IN ('agent', 'team', 'workspace')),
  scope_id     text,
  state        text NOT NULL CHECK (state IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  result       jsonb NOT NULL DEFAULT '{}',
  error        text,
  counts       jsonb NOT NULL DEFAULT '{}',
  cost         numeric NOT NULL DEFAULT 0,
  agent_id     text,
  workflow_id  text NOT NULL,
  run_id       text,
  created_at   timestamptz NOT NULL,
  started_at   timestamptz,
  finished_at  timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX runs_by_creation ON runs (workspace_id, created_at DESC, id);

-- Every start, signal and webhook leaves through here. Rows hold ids only.
CREATE TABLE outbox (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           bigint GENERATED ALWAYS AS IDENTITY,
  action       text NOT NULL CHECK (action IN ('start_capture', 'start_embed')),
  workflow_id  text NOT NULL,
  arguments    jsonb NOT NULL,
  attempts     int NOT NULL DEFAULT 0,
  next_at      timestamptz NOT NULL,
  leased_until timestamptz,
  last_error   text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX outbox_due ON outbox (next_at, id);

CREATE TABLE strikes (
  workspace_id text NOT NULL,
  event_id     text NOT NULL,
  team_id      text NOT NULL,
  workflow     text NOT NULL,
  step         text NOT NULL,
  occurred_at  timestamptz NOT NULL,
  card_id      text NOT NULL,
  PRIMARY KEY (workspace_id, event_id)
);
CREATE INDEX strikes_by_step ON strikes (workspace_id, team_id, workflow, step, occurred_at);

CREATE TABLE competence_observations (
  workspace_id text NOT NULL,
  event_id     text NOT NULL,
  agent_id     text NOT NULL,
  task_type    text NOT NULL,
  outcome      text NOT NULL,
  cost         numeric,
  duration_ms  numeric,
  occurred_at  timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, event_id)
);

CREATE TABLE competence (
  workspace_id   text NOT NULL REFERENCES workspaces,
  agent_id       text NOT NULL,
  task_type      text NOT NULL,
  attempts       int NOT NULL,
  completed      int NOT NULL,
  cost_total     numeric NOT NULL DEFAULT 0,
  costed         int NOT NULL DEFAULT 0,
  duration_total numeric NOT NULL DEFAULT 0,
  timed          int NOT NULL DEFAULT 0,
  last_at        timestamptz NOT NULL,
  card_id        text,
  PRIMARY KEY (workspace_id, agent_id, task_type)
);
CREATE UNIQUE INDEX captures_by_operation ON captures (workspace_id, operation_id);
