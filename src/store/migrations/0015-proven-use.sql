-- When an injection raised the confidence of its card, apart from when it was counted as a use: what an
-- agent says of its own card counts and raises nothing.
ALTER TABLE recall_cards ADD COLUMN raised_at timestamptz;

-- Until now every proven use raised it. Whoever migrates owns the table and need not be above its rules.
ALTER TABLE recall_cards NO FORCE ROW LEVEL SECURITY;
UPDATE recall_cards SET raised_at = proven_at WHERE proven_at IS NOT NULL;
ALTER TABLE recall_cards FORCE ROW LEVEL SECURITY;

-- The day on which an agent last raised the confidence of another's card: once a day each.
CREATE TABLE confidence_marks (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  agent_id     text NOT NULL,
  day          date NOT NULL,
  PRIMARY KEY (workspace_id, card_id, agent_id)
);

ALTER TABLE confidence_marks ENABLE ROW LEVEL SECURITY;
ALTER TABLE confidence_marks FORCE ROW LEVEL SECURITY;
CREATE POLICY confidence_marks_of_workspace ON confidence_marks
  USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON confidence_marks TO cairn_app;

-- Names that are taken out of what somebody asks, found with the key of every request.
CREATE INDEX subjects_with_redacted_name ON subjects (workspace_id) WHERE redact_name;
