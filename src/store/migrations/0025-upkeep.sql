-- What retention and recalibration go by: which cards have left the index, and which are but ids any more.

-- evicted_at: its vectors, postings and names are gone; it is found by its id and in lists, and by no query.
-- purged_at:  its text is gone everywhere. The row stays, so that edges, captures and logs refer to something.
ALTER TABLE cards
  ADD COLUMN evicted_at timestamptz,
  ADD COLUMN purged_at  timestamptz;

-- Neither is part of what a reader can see of a version.
CREATE OR REPLACE FUNCTION card_snapshot(card jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT card - ARRAY['workspace_id', 'id', 'status_before', 'index_length', 'input_fields', 'evicted_at', 'purged_at']
$$;

CREATE INDEX cards_to_expire ON cards (workspace_id, expires_at)
  WHERE expires_at IS NOT NULL AND status NOT IN ('archived', 'deleted');
CREATE INDEX cards_to_evict ON cards (workspace_id, edited_at)
  WHERE status IN ('superseded', 'archived') AND evicted_at IS NULL;
CREATE INDEX cards_to_purge ON cards (workspace_id, edited_at)
  WHERE status IN ('archived', 'deleted') AND purged_at IS NULL;
-- Events that still have their payload: the horizon's share of all of them.
CREATE INDEX events_with_payload ON events (workspace_id, recorded_at) WHERE payload IS NOT NULL;
CREATE INDEX run_drafts_by_age ON run_drafts (workspace_id, created_at);
-- Conflicts, which a monthly look walks through.
CREATE INDEX edges_of_conflicts ON edges (workspace_id, id) WHERE type = 'conflicts';

-- Whether something is held back from retention: p_type is `card` or `event`. Nothing is, until there are legal
-- holds; their migration replaces this function and nothing else.
CREATE FUNCTION is_held(p_workspace text, p_type text, p_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT false
$$;
