-- Erasures: what was asked, what stands in place of what is gone, and what an erasure works on while it runs.

CREATE TABLE erasures (
  workspace_id      text NOT NULL REFERENCES workspaces,
  id                text NOT NULL,
  operation_id      text NOT NULL,
  workflow_id       text NOT NULL,
  status            text NOT NULL CHECK (status IN ('waiting', 'running', 'verifying', 'completed', 'held',
                      'unverified')),
  dry_run           boolean NOT NULL DEFAULT false,
  -- {kind: how many}; the names themselves are items, and tombstones.
  selector          jsonb NOT NULL,
  -- [{kind, hash}]: what was named, as keyed hashes.
  named             jsonb NOT NULL,
  legal_basis       text,
  -- Of `reasons`; its text goes when the erasure ends.
  reason_id         text,
  requested_by_kind text NOT NULL,
  -- A surrogate: whoever asked may be erased too.
  requested_by      text NOT NULL,
  requested_at      timestamptz NOT NULL,
  -- Whoever began before it may not have seen its tombstones.
  accepted_by       xid8 NOT NULL,
  completed_at      timestamptz,
  rounds            int NOT NULL DEFAULT 0,
  -- Where the stage in hand stands, by stage: {after, changed}.
  position          jsonb NOT NULL DEFAULT '{}',
  -- {purged: {table: rows}, rederived, kept, held}
  counts            jsonb NOT NULL DEFAULT '{}',
  -- [{place, searched, found}]: what the last search found.
  places            jsonb NOT NULL DEFAULT '[]',
  receipt           jsonb,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX erasures_by_time ON erasures (workspace_id, requested_at DESC, id);
CREATE INDEX erasures_running ON erasures (workspace_id, id) WHERE status IN ('waiting', 'running', 'verifying');

-- What is gone, as HMAC-SHA-256 under the workspace's key: who has an id can ask, and nobody can read one.
CREATE TABLE tombstones (
  workspace_id text NOT NULL REFERENCES workspaces,
  kind         text NOT NULL CHECK (kind IN ('event', 'card', 'subject', 'person', 'agent', 'source', 'project',
                 'conversation')),
  hash         bytea NOT NULL,
  erasure_id   text NOT NULL,
  -- Of a subject, person, agent, source or project: what happened later is not erased.
  at           timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, kind, hash, erasure_id)
);
CREATE INDEX tombstones_of_erasure ON tombstones (workspace_id, erasure_id);

-- What an erasure has found, in clear, until it has ended. `kind` is a kind of tombstone or another row that goes.
--   root:   named by the request, or of what is.
--   open:   derived from what goes; not judged yet.
--   falls:  rests on nothing else.
--   stands: rests on something else too, and is to be written again without it.
--   done:   purged, or written again.
--   held:   kept by a legal hold.
CREATE TABLE erasure_items (
  workspace_id text NOT NULL,
  erasure_id   text NOT NULL,
  kind         text NOT NULL,
  id           text NOT NULL,
  state        text NOT NULL CHECK (state IN ('root', 'open', 'falls', 'stands', 'done', 'held')),
  -- What it was before it was done.
  was          text,
  -- Of a subject, person, agent, source or project: what happened later is not erased.
  at           timestamptz,
  PRIMARY KEY (workspace_id, erasure_id, kind, id),
  FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures (workspace_id, id)
);
CREATE INDEX erasure_items_by_state ON erasure_items (workspace_id, erasure_id, state, kind, id);

-- What the search for what is left looks for; taken while it is still there, and gone with the receipt.
CREATE TABLE erasure_terms (
  workspace_id text NOT NULL,
  erasure_id   text NOT NULL,
  term         text NOT NULL,
  -- `id`: of an event, a card, a person; `text`: a piece of what was said.
  kind         text NOT NULL CHECK (kind IN ('id', 'text')),
  PRIMARY KEY (workspace_id, erasure_id, term),
  FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures (workspace_id, id)
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['erasures', 'tombstones', 'erasure_items', 'erasure_terms'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;

-- The document with null in place of strings that are one of these; names of fields stay.
CREATE FUNCTION without_strings(doc jsonb, gone text[]) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE jsonb_typeof(doc)
    WHEN 'string' THEN CASE WHEN doc #>> '{}' = ANY (gone) THEN 'null'::jsonb ELSE doc END
    WHEN 'array' THEN COALESCE(
      (SELECT jsonb_agg(without_strings(a.v, gone) ORDER BY a.n) FROM jsonb_array_elements(doc) WITH ORDINALITY AS a (v, n)),
      '[]')
    WHEN 'object' THEN COALESCE(
      (SELECT jsonb_object_agg(o.key, without_strings(o.value, gone)) FROM jsonb_each(doc) o), '{}')
    ELSE doc
  END;
END
$$;
