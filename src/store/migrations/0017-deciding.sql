-- What waits for a person: one table, one lifecycle, one inbox.

CREATE TABLE proposals (
  workspace_id     text NOT NULL REFERENCES workspaces,
  id               text NOT NULL,
  type             text NOT NULL CHECK (type IN ('config_fix', 'promotion', 'contradiction', 'skill', 'fact', 'link',
                     'merge', 'archive')),
  status           text NOT NULL CHECK (status IN ('open', 'approved', 'rejected', 'expired', 'applied', 'proven',
                     'reopened', 'lapsed')),
  version          int NOT NULL DEFAULT 1,
  -- What it is about: of one matter one proposal waits at a time.
  matter           text NOT NULL,
  team_id          text,
  title            text NOT NULL,
  summary          text NOT NULL,
  drafted_by       text NOT NULL CHECK (drafted_by IN ('model', 'fallback', 'person', 'rule')),
  evidence         text[] NOT NULL,
  change           jsonb NOT NULL,
  proposed_by_kind text NOT NULL CHECK (proposed_by_kind IN ('person', 'agent', 'runtime', 'system')),
  proposed_by      text NOT NULL,
  -- The person a runtime or an agent acted for when it proposed: as little a judge of it as the proposer.
  proposed_for     text,
  created_at       timestamptz NOT NULL,
  opened_at        timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  closed_at        timestamptz,
  reminders        int NOT NULL DEFAULT 0,
  -- The time of the last reminder that was sent, as it was planned.
  reminded_for     timestamptz,
  -- The version whose opening was announced.
  announced        int NOT NULL DEFAULT 0,
  operation_id     text NOT NULL,
  workflow_id      text NOT NULL,
  run_id           text,
  PRIMARY KEY (workspace_id, id)
);
-- A fix that was approved, is applied or being watched is still that step's: nothing else is proposed for it.
CREATE UNIQUE INDEX proposals_one_a_matter ON proposals (workspace_id, matter)
  WHERE status IN ('open', 'reopened') OR (type = 'config_fix' AND status IN ('approved', 'applied'));
CREATE INDEX proposals_by_status ON proposals (workspace_id, status, created_at DESC, id);
CREATE INDEX proposals_by_creation ON proposals (workspace_id, created_at DESC, id);
CREATE INDEX proposals_by_evidence ON proposals USING gin (evidence);

-- One row a decision that was heard of, refused ones too. The reason is erasable and stands elsewhere.
CREATE TABLE proposal_decisions (
  workspace_id text NOT NULL,
  proposal_id  text NOT NULL,
  -- Of the update or signal that brought it: the same decision, tried again, is this row.
  id           text NOT NULL,
  version      int NOT NULL,
  by_person    text NOT NULL,
  decision     text NOT NULL CHECK (decision IN ('approve', 'reject')),
  outcome      text NOT NULL,
  reason_code  text,
  reason_id    text,
  channel      text NOT NULL CHECK (channel IN ('api', 'temporal')),
  at           timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, proposal_id, id),
  FOREIGN KEY (workspace_id, proposal_id) REFERENCES proposals (workspace_id, id)
);

-- A decision that came through the API, before Temporal hears of it: whose key it was, and what they said.
CREATE TABLE decision_intents (
  workspace_id text NOT NULL,
  id           text NOT NULL,
  proposal_id  text NOT NULL,
  version      int NOT NULL,
  by_person    text NOT NULL,
  decision     text NOT NULL CHECK (decision IN ('approve', 'reject')),
  -- Of a contradiction: the side that the person takes; null takes the one that was suggested.
  winner       text,
  reason_id    text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, proposal_id) REFERENCES proposals (workspace_id, id)
);

-- The runtime's side of an approved fix, and how the step has done since.
CREATE TABLE config_fixes (
  workspace_id   text NOT NULL,
  id             text NOT NULL,
  proposal_id    text NOT NULL,
  version        int NOT NULL,
  team_id        text NOT NULL,
  workflow       text NOT NULL,
  step           text NOT NULL,
  status         text NOT NULL CHECK (status IN ('approved', 'applied', 'proven', 'reopened', 'lapsed')),
  approved_at    timestamptz NOT NULL,
  applied_at     timestamptz,
  config_version text,
  note           text,
  closed_at      timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, proposal_id) REFERENCES proposals (workspace_id, id)
);
CREATE UNIQUE INDEX config_fixes_one_a_step ON config_fixes (workspace_id, team_id, workflow, step)
  WHERE status IN ('approved', 'applied');
CREATE INDEX config_fixes_by_proposal ON config_fixes (workspace_id, proposal_id);

-- What the step did after the fix was applied, each event once.
CREATE TABLE fix_observations (
  workspace_id text NOT NULL,
  fix_id       text NOT NULL,
  event_id     text NOT NULL,
  worked       boolean NOT NULL,
  card_id      text NOT NULL,
  occurred_at  timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, fix_id, event_id),
  FOREIGN KEY (workspace_id, fix_id) REFERENCES config_fixes (workspace_id, id)
);

-- Strikes that a decision has dealt with count for no later proposal.
ALTER TABLE strikes ADD COLUMN settled_by text;

-- One row a step, which whoever counts a strike holds until it is committed: of three at the same moment the
-- last one sees the others.
CREATE TABLE strike_steps (
  workspace_id text NOT NULL,
  team_id      text NOT NULL,
  workflow     text NOT NULL,
  step         text NOT NULL,
  strikes      bigint NOT NULL,
  PRIMARY KEY (workspace_id, team_id, workflow, step)
);

-- Pairs of cards of which a person said that they do not contradict each other; the lower id first.
CREATE TABLE dismissed_conflicts (
  workspace_id text NOT NULL,
  one_card     text NOT NULL,
  other_card   text NOT NULL,
  proposal_id  text NOT NULL,
  at           timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, one_card, other_card)
);

-- Where a promoted card came from: what a demotion gives back.
ALTER TABLE cards ADD COLUMN promoted_from jsonb;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['proposals', 'proposal_decisions', 'decision_intents', 'config_fixes', 'fix_observations',
                           'strike_steps', 'dismissed_conflicts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;

-- Held by the type of the sender, which knows each action or does not compile.
ALTER TABLE outbox DROP CONSTRAINT IF EXISTS outbox_action_check;
