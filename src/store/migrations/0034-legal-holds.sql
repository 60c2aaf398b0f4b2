-- What must not be lost while a hold stands, and redaction after the fact.

CREATE TABLE legal_holds (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  -- Several lists: whatever any of them names. `sources` are services; of a person, what they wrote and what is about
  -- the subject that they are.
  subjects     text[] NOT NULL DEFAULT '{}',
  people       text[] NOT NULL DEFAULT '{}',
  agents       text[] NOT NULL DEFAULT '{}',
  sources      text[] NOT NULL DEFAULT '{}',
  projects     text[] NOT NULL DEFAULT '{}',
  event_ids    text[] NOT NULL DEFAULT '{}',
  card_ids     text[] NOT NULL DEFAULT '{}',
  -- Of `reasons`, where it can be erased.
  reason_id    text,
  set_by       text NOT NULL,
  created_at   timestamptz NOT NULL,
  changed_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  CHECK (cardinality(subjects || people || agents || sources || projects || event_ids || card_ids) > 0)
);

-- Whether what is about this subject, of this agent and so on is held. Each may be null.
CREATE FUNCTION hold_names(
  h legal_holds, p_subject text, p_agent text, p_source text, p_project text, p_writer_kind text, p_writer text
) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT COALESCE(p_subject = ANY (h.subjects), false)
      OR COALESCE(p_agent = ANY (h.agents), false)
      OR COALESCE(p_source = ANY (h.sources), false)
      OR COALESCE(p_project = ANY (h.projects), false)
      OR COALESCE(p_writer_kind = 'person' AND p_writer = ANY (h.people), false)
      OR EXISTS (SELECT 1 FROM people p
                  WHERE p.workspace_id = h.workspace_id AND p.id = ANY (h.people) AND p.subject_id = p_subject)
$$;

-- A card that was about somebody else once is held for them too: its older versions are theirs.
CREATE FUNCTION hold_covers_card(h legal_holds, p_card text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_card = ANY (h.card_ids)
      OR EXISTS (
           SELECT 1 FROM cards c
            WHERE c.workspace_id = h.workspace_id AND c.id = p_card
              AND (COALESCE(c.event_id = ANY (h.event_ids), false)
                OR hold_names(h, c.subject, c.agent_id, c.service, c.project, c.writer_kind, c.writer_id)
                OR c.scope_type = 'agent' AND c.scope_id = ANY (h.agents)))
      OR EXISTS (
           SELECT 1 FROM card_versions v
            WHERE v.workspace_id = h.workspace_id AND v.card_id = p_card
              AND hold_names(h, v.snapshot ->> 'subject', NULL, v.snapshot ->> 'service', v.snapshot ->> 'project',
                             v.actor_kind, v.actor_id))
$$;

CREATE FUNCTION hold_covers_event(h legal_holds, p_event text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p_event = ANY (h.event_ids)
      OR EXISTS (
           SELECT 1 FROM events e
            WHERE e.workspace_id = h.workspace_id AND e.event_id = p_event
              AND (hold_names(h, e.payload ->> 'subject', e.agent_id, e.payload ->> 'service', e.payload ->> 'project',
                              e.reporter_kind, e.reporter_id)
                OR COALESCE(e.payload -> 'delegate' ->> 'agent' = ANY (h.agents), false)))
      OR EXISTS (
           SELECT 1 FROM captures k
            WHERE k.workspace_id = h.workspace_id AND k.event_id = p_event AND k.card_id IS NOT NULL
              AND hold_covers_card(h, k.card_id))
$$;

-- The holds that keep something: p_type is `card`, `event`, `conversation`, `proposal` or `pending_write`.
CREATE FUNCTION holds_on(p_workspace text, p_type text, p_id text) RETURNS SETOF text LANGUAGE sql STABLE AS $$
  SELECT h.id
    FROM legal_holds h
   WHERE h.workspace_id = p_workspace
     AND CASE p_type
           WHEN 'card' THEN hold_covers_card(h, p_id)
           WHEN 'event' THEN hold_covers_event(h, p_id)
           WHEN 'conversation' THEN EXISTS (
             SELECT 1 FROM conversations c
              WHERE c.workspace_id = p_workspace AND c.id = p_id
                AND hold_names(h, c.subject, c.agent_id, NULL, c.project, NULL, NULL))
           WHEN 'proposal' THEN EXISTS (
             SELECT 1 FROM proposals p
              CROSS JOIN LATERAL unnest(p.evidence) AS shown (card)
              WHERE p.workspace_id = p_workspace AND p.id = p_id AND hold_covers_card(h, shown.card))
           WHEN 'pending_write' THEN EXISTS (
             SELECT 1 FROM pending_writes w
              WHERE w.workspace_id = p_workspace AND w.id = p_id
                AND hold_names(h, w.content ->> 'subject', w.agent_id, w.content -> 'hints' ->> 'service',
                               w.content ->> 'project', NULL, NULL))
           ELSE false
         END
   ORDER BY h.id
$$;

-- What 0025 promised: every step that removes asks it.
CREATE OR REPLACE FUNCTION is_held(p_workspace text, p_type text, p_id text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM legal_holds h WHERE h.workspace_id = p_workspace)
     AND EXISTS (SELECT 1 FROM holds_on(p_workspace, p_type, p_id))
$$;

-- The second wall: whatever a path forgets to ask, a card that is held is neither deleted nor purged, and no row of an
-- event or a message that is held goes. The API answers 409 `held`.
CREATE FUNCTION refuse_held() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held_id text := to_jsonb(OLD) ->> TG_ARGV[1];
BEGIN
  IF is_held(OLD.workspace_id, TG_ARGV[0], held_id) THEN
    RAISE EXCEPTION 'a legal hold keeps it' USING ERRCODE = 'CH001';
  END IF;
  IF TG_OP = 'DELETE' THEN
    RETURN OLD;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER cards_that_are_held_stay
  BEFORE UPDATE ON cards FOR EACH ROW
  WHEN (NEW.status = 'deleted' AND OLD.status <> 'deleted' OR NEW.purged_at IS NOT NULL AND OLD.purged_at IS NULL)
  EXECUTE FUNCTION refuse_held('card', 'id');
CREATE TRIGGER rows_of_held_cards_stay
  BEFORE DELETE ON cards FOR EACH ROW EXECUTE FUNCTION refuse_held('card', 'id');
CREATE TRIGGER rows_of_held_events_stay
  BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_held('event', 'event_id');
CREATE TRIGGER rows_of_held_messages_stay
  BEFORE DELETE ON messages FOR EACH ROW EXECUTE FUNCTION refuse_held('conversation', 'conversation_id');

-- Redaction after the fact.

-- redaction_changes counts changes of the directory and of the policy since which more is redacted than before.
-- scanned_as is `<detectors>/<redaction_changes>` of the last rescan that left nothing; of a workspace from before it
-- is not known, so that it is scanned once. A new workspace holds nothing that older detectors let through.
ALTER TABLE workspaces
  ADD COLUMN redaction_changes int NOT NULL DEFAULT 0,
  ADD COLUMN scanned_as        text;
ALTER TABLE workspaces ALTER COLUMN scanned_as SET DEFAULT '1/0';

CREATE FUNCTION redaction_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE workspaces SET redaction_changes = redaction_changes + 1 WHERE workspace_id = NEW.workspace_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER subjects_to_be_redacted_anew
  AFTER INSERT ON subjects FOR EACH ROW WHEN (NEW.redact_name AND NEW.name IS NOT NULL)
  EXECUTE FUNCTION redaction_changed();
CREATE TRIGGER subjects_to_be_redacted_otherwise
  AFTER UPDATE ON subjects FOR EACH ROW
  WHEN (NEW.redact_name AND NEW.name IS NOT NULL AND (NEW.name, NEW.redact_name) IS DISTINCT FROM (OLD.name, OLD.redact_name))
  EXECUTE FUNCTION redaction_changed();

-- Contact data that was kept is to be replaced from now on.
CREATE FUNCTION policy_redacts_more() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.document #>> '{redaction,contact_data}' IS DISTINCT FROM 'keep_for_subjects'
     AND (SELECT p.document #>> '{redaction,contact_data}' FROM policies p
           WHERE p.workspace_id = NEW.workspace_id AND p.version < NEW.version
           ORDER BY p.version DESC LIMIT 1) = 'keep_for_subjects' THEN
    UPDATE workspaces SET redaction_changes = redaction_changes + 1 WHERE workspace_id = NEW.workspace_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER policies_that_redact_more
  AFTER INSERT ON policies FOR EACH ROW EXECUTE FUNCTION policy_redacts_more();

-- One row a rescan; its run says how it went.
CREATE TABLE rescans (
  workspace_id text NOT NULL REFERENCES workspaces,
  n            int NOT NULL CHECK (n >= 1),
  operation_id text NOT NULL,
  -- What the workspace is scanned as once it has left nothing.
  scans_as     text NOT NULL,
  -- {at, found, repaired, …}: the batch that is next, and the numbers of those that are done. No content.
  progress     jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, n),
  UNIQUE (workspace_id, operation_id),
  FOREIGN KEY (workspace_id, operation_id) REFERENCES runs (workspace_id, id)
);

-- An event never changes; its payload may be dropped (retention, erasure), or redacted by a transaction that says so.
CREATE OR REPLACE FUNCTION refuse_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (to_jsonb(NEW) - ARRAY['payload', 'redactions']) IS DISTINCT FROM (to_jsonb(OLD) - ARRAY['payload', 'redactions'])
     OR current_setting('cairn.redacting', true) IS DISTINCT FROM 'on'
        AND (NEW.payload IS NOT NULL AND NEW.payload IS DISTINCT FROM OLD.payload
             OR NEW.redactions IS DISTINCT FROM OLD.redactions) THEN
    RAISE EXCEPTION 'an event is append-only: only its payload may be dropped';
  END IF;
  RETURN NEW;
END
$$;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['legal_holds', 'rescans'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;
