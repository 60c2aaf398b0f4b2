-- Passes that change memory on their own accord: what each was asked, what it did, and how it is taken back.

ALTER TABLE runs
  ADD COLUMN dry_run    boolean NOT NULL DEFAULT false,
  -- {cards, calls, tokens}: what it was held to; null where the policy's holds.
  ADD COLUMN budget     jsonb,
  -- {policy, model, prompt, embedder}: what it was done with.
  ADD COLUMN versions   jsonb NOT NULL DEFAULT '{}',
  -- The run that this one is a part of.
  ADD COLUMN parent_id  text,
  -- Whether one scope was asked for by name; else a pass goes through all of them.
  ADD COLUMN scope_named boolean NOT NULL DEFAULT false,
  -- The day or month that it is of, in the workspace's zone.
  ADD COLUMN day        text,
  -- Null where a Schedule or another workflow started it.
  ADD COLUMN asked_by   text,
  ADD COLUMN paused     boolean NOT NULL DEFAULT false,
  ADD COLUMN undone_at  timestamptz,
  -- How many runs of this kind, scope and day there were before it.
  ADD COLUMN number     int NOT NULL DEFAULT 1;
-- Passes that run, and those that ended of late.
CREATE INDEX runs_of_passes ON runs (workspace_id, state, finished_at) WHERE day IS NOT NULL AND parent_id IS NULL;
CREATE INDEX runs_by_parent ON runs (workspace_id, parent_id, created_at, id) WHERE parent_id IS NOT NULL;
-- Of reflections the number alone tells one from the next; of the others, day and number.
CREATE UNIQUE INDEX runs_one_unit ON runs
  (workspace_id, type, scope_type, scope_id, (CASE WHEN type = 'reflection' THEN '' ELSE day END), number)
  WHERE parent_id IS NOT NULL;

-- The diff of a run, in ids, versions and codes: what it did, and in a dry run what it would do.
CREATE TABLE run_changes (
  workspace_id   text NOT NULL,
  run_id         text NOT NULL,
  n              int NOT NULL,
  change         text NOT NULL CHECK (change IN ('created', 'retired', 'edited', 'linked', 'proposed', 'rejected',
                   'purged', 'skipped')),
  -- Null where no card is meant, or none was made yet.
  card_id        text,
  -- Null of a card that was made, and where a dry run changed nothing.
  version_before int,
  version_after  int,
  -- Other ids: the note that replaces, the cards that it came from, an edge, a proposal.
  related        text[] NOT NULL DEFAULT '{}',
  reason         text,
  at             timestamptz NOT NULL,
  -- When it was taken back; of one that could not be, the code that says why.
  undone_at      timestamptz,
  not_undone     text,
  PRIMARY KEY (workspace_id, run_id, n),
  FOREIGN KEY (workspace_id, run_id) REFERENCES runs (workspace_id, id)
);
CREATE INDEX run_changes_by_card ON run_changes (workspace_id, card_id) WHERE card_id IS NOT NULL;

-- Text that a run works on: a note before it is filed, what a dry run would write. Erasable, never in Temporal.
CREATE TABLE run_drafts (
  workspace_id text NOT NULL,
  run_id       text NOT NULL,
  part         text NOT NULL,
  -- The cards that its text came from.
  sources      text[] NOT NULL DEFAULT '{}',
  draft        jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, run_id, part),
  FOREIGN KEY (workspace_id, run_id) REFERENCES runs (workspace_id, id)
);
CREATE INDEX run_drafts_by_source ON run_drafts USING gin (sources);

-- One pass works on a scope at a time. A row that ran out is anybody's.
CREATE TABLE scope_leases (
  workspace_id text NOT NULL REFERENCES workspaces,
  scope_type   text NOT NULL CHECK (scope_type IN ('agent', 'team', 'workspace')),
  scope_id     text NOT NULL,
  run_id       text NOT NULL,
  workflow_id  text NOT NULL,
  until        timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, scope_type, scope_id)
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['run_changes', 'run_drafts', 'scope_leases'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;

-- Whether the Schedules of its passes are still to be made, or to follow a policy that was set.
ALTER TABLE workspaces ADD COLUMN schedules_stale boolean NOT NULL DEFAULT true;

-- The newest notes of the passes, which every recall tells of.
CREATE INDEX cards_by_passes ON cards (workspace_id, recorded_at DESC, id)
  WHERE kind = 'insight' AND writer_kind = 'system';

-- A pass writes cards in nobody's name.
ALTER TABLE cards DROP CONSTRAINT cards_writer_kind_check;
ALTER TABLE cards ADD CONSTRAINT cards_writer_kind_check
  CHECK (writer_kind IN ('person', 'agent', 'runtime', 'system'));
