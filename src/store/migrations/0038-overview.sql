-- What the overview of a workspace reads: what came when, what was asked when, and what models were paid for.

CREATE INDEX captures_by_time ON captures (workspace_id, created_at, disposition);
CREATE INDEX recalls_by_time ON recalls (workspace_id, at);

-- Answered calls of language models, by the quarter of an hour in which they were answered: every zone's day begins
-- with one. Numbers and names of ours only: `activity` is what asked, `model` what the endpoint calls its own.
CREATE TABLE model_usage (
  workspace_id  text NOT NULL REFERENCES workspaces,
  at            timestamptz NOT NULL,
  activity      text NOT NULL,
  model         text NOT NULL,
  calls         bigint NOT NULL,
  input_tokens  bigint NOT NULL,
  output_tokens bigint NOT NULL,
  PRIMARY KEY (workspace_id, at, activity, model)
);
ALTER TABLE model_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_usage FORCE ROW LEVEL SECURITY;
CREATE POLICY model_usage_of_workspace ON model_usage USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON model_usage TO cairn_app;
