-- Imports: the file of an export, held line by line until each is applied.

-- receiving: lines come in; the last one, which is the signature, is still to come.
-- accepted:  the signature holds, and a workflow applies the lines; those that are applied are gone.
-- ended:     none is left.
CREATE TABLE imports (
  workspace_id   text NOT NULL REFERENCES workspaces,
  -- Of the manifest: the same file is the same import, and goes on where it stopped.
  id             text NOT NULL,
  state          text NOT NULL CHECK (state IN ('receiving', 'accepted', 'ended')),
  export_id      text NOT NULL,
  -- Whose name stands in its rows where this workspace's is to stand.
  from_workspace text NOT NULL,
  key_id         text NOT NULL,
  -- Lines that were taken, and what they are chained to: src/store/export-chain.ts.
  lines          int NOT NULL,
  chain          text NOT NULL,
  -- The last line that was applied.
  applied        int NOT NULL DEFAULT 0,
  -- {imported, known, skipped, redactions}
  counts         jsonb NOT NULL DEFAULT '{}',
  -- The first that were not taken: [{line, type, id, code}].
  problems       jsonb NOT NULL DEFAULT '[]',
  -- Whether whoever asked is an owner, who alone makes owners.
  by_owner       boolean NOT NULL,
  operation_id   text,
  created_at     timestamptz NOT NULL,
  changed_at     timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK ((state = 'receiving') = (operation_id IS NULL))
);
CREATE INDEX imports_not_ended ON imports (workspace_id, changed_at) WHERE state <> 'ended';

CREATE TABLE import_lines (
  workspace_id text NOT NULL,
  import_id    text NOT NULL,
  n            int NOT NULL,
  type         text NOT NULL,
  -- Redacted once more.
  line         jsonb NOT NULL,
  -- Why it is not to be applied, where that is known already.
  refused      text,
  PRIMARY KEY (workspace_id, import_id, n),
  FOREIGN KEY (workspace_id, import_id) REFERENCES imports (workspace_id, id)
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['imports', 'import_lines'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;
