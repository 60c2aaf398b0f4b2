-- The two logs that outlive what they speak of. They hold no content: ids, field names, versions, hashes.

-- The one place where an id in a log meets a name; an erasure deletes the row.
CREATE TABLE surrogates (
  workspace_id text NOT NULL REFERENCES workspaces,
  kind         text NOT NULL,
  name         text NOT NULL,
  id           text NOT NULL,
  PRIMARY KEY (workspace_id, kind, name)
);
CREATE UNIQUE INDEX surrogates_by_id ON surrogates (workspace_id, id);

CREATE FUNCTION surrogate_of(p_workspace text, p_kind text, p_name text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  found text;
BEGIN
  IF p_name IS NULL THEN
    RETURN NULL;
  END IF;
  SELECT s.id INTO found FROM surrogates s
   WHERE s.workspace_id = p_workspace AND s.kind = p_kind AND s.name = p_name;
  IF found IS NULL THEN
    INSERT INTO surrogates (workspace_id, kind, name, id)
    VALUES (p_workspace, p_kind, p_name, 'sur_' || replace(gen_random_uuid()::text, '-', ''))
    ON CONFLICT (workspace_id, kind, name) DO UPDATE SET name = EXCLUDED.name
    RETURNING surrogates.id INTO found;
  END IF;
  RETURN found;
END
$$;

-- Free text that a person gave; erasable, so the audit row only refers to it.
CREATE TABLE reasons (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  text         text NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE audit_log (
  workspace_id text NOT NULL,
  seq          bigint GENERATED ALWAYS AS IDENTITY,
  at           timestamptz NOT NULL,
  actor_kind   text NOT NULL,
  actor_id     text NOT NULL,
  action       text NOT NULL,
  target_type  text NOT NULL,
  target_id    text NOT NULL,
  changed      text[] NOT NULL DEFAULT '{}',
  versions     int[] NOT NULL DEFAULT '{}',
  hashes       jsonb NOT NULL DEFAULT '{}',
  reason_id    text,
  channel      text NOT NULL,
  workflow_id  text,
  PRIMARY KEY (workspace_id, seq)
);
CREATE INDEX audit_log_by_target ON audit_log (workspace_id, target_type, target_id, seq);

CREATE TABLE access_log (
  workspace_id   text NOT NULL,
  id             bigint GENERATED ALWAYS AS IDENTITY,
  at             timestamptz NOT NULL,
  agent          text,
  person         text,
  execution_mode text NOT NULL,
  session        text,
  via            text NOT NULL,
  surface        text NOT NULL,
  count          int NOT NULL CHECK (count > 0),
  card_ids       text[] NOT NULL,
  recall_id      text,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX access_log_by_card ON access_log USING gin (card_ids);

CREATE FUNCTION refuse_log_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
CREATE TRIGGER access_log_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON access_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();
