-- Insights: cards of the kind insight with a number, an owner and a follow-up beside them.

CREATE TABLE insights (
  workspace_id text NOT NULL,
  id           text NOT NULL,
  card_id      text NOT NULL,
  origin       text NOT NULL CHECK (origin IN ('chat_pin', 'user_explore', 'automated_run', 'manual_trigger')),
  -- Null once the card's words were changed: then the card alone says what was found.
  title        text,
  finding      text,
  domain       text NOT NULL,
  severity     text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  -- ISO 8601, from an action taken to measuring it.
  follow_up    text NOT NULL,
  -- {score, severity, dollars, velocity, time_sensitivity, basis} as they were when it was saved.
  urgency      jsonb NOT NULL,
  score        double precision NOT NULL CHECK (score BETWEEN 0 AND 100),
  -- Who looks after it: a person, or the agent that saved it.
  owner_kind   text NOT NULL CHECK (owner_kind IN ('person', 'agent', 'runtime')),
  owner_id     text NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, card_id),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id)
);
CREATE INDEX insights_by_creation ON insights (workspace_id, created_at DESC, id);
CREATE INDEX insights_by_score ON insights (workspace_id, score DESC, id);

-- Where a metric stood. Pushed ones are the workspace's; those of an insight are seen with its card alone.
CREATE TABLE metric_snapshots (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  name         text NOT NULL,
  value        double precision NOT NULL,
  unit         text,
  at           timestamptz NOT NULL,
  role         text NOT NULL CHECK (role IN ('pushed', 'baseline', 'outcome')),
  insight_id   text,
  -- Whether more of it is better; null where nobody says, and its name does not.
  goal         text CHECK (goal IN ('up', 'down')),
  source_kind  text NOT NULL,
  source_id    text NOT NULL,
  recorded_at  timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, insight_id) REFERENCES insights (workspace_id, id),
  CHECK ((insight_id IS NULL) = (role = 'pushed'))
);
-- The same moment of a metric is one number: pushed again, it is the later one.
CREATE UNIQUE INDEX metric_snapshots_one_a_moment ON metric_snapshots (workspace_id, name, at) WHERE role = 'pushed';
CREATE INDEX metric_snapshots_by_time ON metric_snapshots (workspace_id, at DESC, name) WHERE role = 'pushed';
CREATE INDEX metric_snapshots_of_insight ON metric_snapshots (workspace_id, insight_id) WHERE insight_id IS NOT NULL;

-- What was ever recommended, by its normalized text; and what a person has said must not be.
CREATE TABLE actions (
  workspace_id   text NOT NULL REFERENCES workspaces,
  -- SHA-256 of the normalized text, hex.
  hash           text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
  text           text NOT NULL,
  created_at     timestamptz NOT NULL,
  blocked_at     timestamptz,
  blocked_by     text,
  -- Of `reasons`, where it can be erased.
  reason_id      text,
  PRIMARY KEY (workspace_id, hash),
  CHECK ((blocked_at IS NULL) = (blocked_by IS NULL))
);
CREATE INDEX actions_by_creation ON actions (workspace_id, created_at DESC, hash);

CREATE TABLE insight_actions (
  workspace_id text NOT NULL,
  insight_id   text NOT NULL,
  id           text NOT NULL,
  position     int NOT NULL,
  hash         text NOT NULL,
  -- As it was written, redacted.
  text         text NOT NULL,
  status       text NOT NULL DEFAULT 'recommended'
                 CHECK (status IN ('recommended', 'taken', 'measured', 'unmeasured', 'cancelled')),
  taken_at     timestamptz,
  taken_kind   text,
  taken_by     text,
  -- When it is measured; moved by an extension.
  measure_at   timestamptz,
  ended_at     timestamptz,
  -- Why it was not measured: a code.
  ended_code   text,
  PRIMARY KEY (workspace_id, insight_id, id),
  FOREIGN KEY (workspace_id, insight_id) REFERENCES insights (workspace_id, id),
  FOREIGN KEY (workspace_id, hash) REFERENCES actions (workspace_id, hash),
  CHECK ((status = 'recommended') = (taken_at IS NULL)),
  CHECK ((status IN ('recommended', 'taken')) = (ended_at IS NULL))
);
CREATE INDEX insight_actions_by_hash ON insight_actions (workspace_id, hash);
-- What waits to be measured: the sweep looks for follow-ups that were lost.
CREATE INDEX insight_actions_waiting ON insight_actions (workspace_id, measure_at) WHERE status = 'taken';

-- One a taken action: what came of it.
CREATE TABLE action_outcomes (
  workspace_id text NOT NULL,
  insight_id   text NOT NULL,
  action_id    text NOT NULL,
  hash         text NOT NULL,
  result       text NOT NULL CHECK (result IN ('improved', 'unchanged', 'worse')),
  -- Relative change of the metric, −0.18 is 18 % less; null where nobody measured it.
  size         double precision,
  metric       text,
  baseline     double precision,
  value        double precision,
  unit         text,
  at           timestamptz NOT NULL,
  channel      text NOT NULL CHECK (channel IN ('measured', 'reported')),
  by_kind      text NOT NULL,
  by_id        text NOT NULL,
  -- The card that tells it.
  card_id      text,
  PRIMARY KEY (workspace_id, insight_id, action_id),
  FOREIGN KEY (workspace_id, insight_id, action_id) REFERENCES insight_actions (workspace_id, insight_id, id)
);
CREATE INDEX action_outcomes_by_hash ON action_outcomes (workspace_id, hash);

-- A card that is corrected or redacted takes its insight's words along, and the amount that was quoted of them.
CREATE FUNCTION insight_follows_card() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE insights i
     SET title = NULL, finding = NULL, urgency = jsonb_set(i.urgency, '{basis,dollars}', 'null')
   WHERE i.workspace_id = NEW.workspace_id AND i.card_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER cards_insight_follows
  AFTER UPDATE OF summary ON cards
  FOR EACH ROW
  -- Of whatever kind it is by now: a kind can be corrected too.
  WHEN (OLD.summary IS DISTINCT FROM NEW.summary)
  EXECUTE FUNCTION insight_follows_card();

-- A restricted agent's insight waits for its parent, as its cards do.
ALTER TABLE pending_writes DROP CONSTRAINT pending_writes_type_check;
ALTER TABLE pending_writes ADD CONSTRAINT pending_writes_type_check
  CHECK (type IN ('card', 'note', 'memory', 'insight'));

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['insights', 'metric_snapshots', 'actions', 'insight_actions', 'action_outcomes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;
