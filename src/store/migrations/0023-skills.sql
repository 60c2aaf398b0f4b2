-- Skills: cards of the kind skill_lesson, with versions and tests beside them.

CREATE TABLE skills (
  workspace_id    text NOT NULL,
  card_id         text NOT NULL,
  name            text NOT NULL,
  -- Of the card, kept here by a trigger: what a name is unique in, and whether it holds its name.
  scope_type      text NOT NULL CHECK (scope_type IN ('agent', 'team', 'workspace')),
  scope_id        text NOT NULL,
  holds_name      boolean NOT NULL,
  status          text NOT NULL CHECK (status IN ('draft', 'current', 'deprecated')),
  -- Null until a version has passed its tests.
  current_version int,
  latest_version  int NOT NULL,
  created_at      timestamptz NOT NULL,
  deprecated_at   timestamptz,
  -- The card of the skill to use instead.
  replaced_by     text,
  PRIMARY KEY (workspace_id, card_id),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id),
  CHECK ((status = 'draft') = (current_version IS NULL)),
  CHECK ((status = 'deprecated') = (deprecated_at IS NOT NULL))
);
-- One skill of a name in a scope.
CREATE UNIQUE INDEX skills_one_a_name ON skills (workspace_id, scope_type, scope_id, name) WHERE holds_name;
CREATE INDEX skills_by_name ON skills (workspace_id, name, card_id);

CREATE TABLE skill_versions (
  workspace_id   text NOT NULL,
  card_id        text NOT NULL,
  version        int NOT NULL CHECK (version >= 1),
  status         text NOT NULL CHECK (status IN ('draft', 'current', 'retired', 'failed')),
  description    text NOT NULL,
  -- {purpose, preconditions, steps, failure_handling, causes}
  document       jsonb NOT NULL,
  -- Markdown.
  body           text NOT NULL,
  -- Its text reads like an instruction to whoever finds it.
  flagged        boolean NOT NULL DEFAULT false,
  events         text[] NOT NULL DEFAULT '{}',
  cards          text[] NOT NULL DEFAULT '{}',
  run_id         text,
  model          text,
  prompt_version text,
  writer_kind    text NOT NULL,
  writer_id      text NOT NULL,
  created_at     timestamptz NOT NULL,
  -- Ids, counts and codes of its last test; null before the first.
  test_result    jsonb,
  PRIMARY KEY (workspace_id, card_id, version),
  FOREIGN KEY (workspace_id, card_id) REFERENCES skills (workspace_id, card_id)
);
CREATE UNIQUE INDEX skill_versions_one_current ON skill_versions (workspace_id, card_id) WHERE status = 'current';
-- Which skills make this call: a failure of it becomes one of their tests.
CREATE INDEX skill_versions_by_call ON skill_versions USING gin ((document -> 'steps') jsonb_path_ops);

CREATE TABLE skill_tests (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  id           text NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('origin', 'failure', 'manual')),
  -- {trace} or {must_mention, must_not_mention}
  "case"       jsonb NOT NULL,
  -- What it was taken from: it is shown to whoever may see that card.
  source_event text,
  source_card  text,
  added_at     timestamptz NOT NULL,
  retired_at   timestamptz,
  PRIMARY KEY (workspace_id, card_id, id),
  FOREIGN KEY (workspace_id, card_id) REFERENCES skills (workspace_id, card_id)
);
-- Each event is one test of a skill, however often it is looked at.
CREATE UNIQUE INDEX skill_tests_one_an_event ON skill_tests (workspace_id, card_id, source_event)
  WHERE source_event IS NOT NULL;

-- A card that is moved, deleted or brought back takes its skill's name along.
CREATE FUNCTION skill_follows_card() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE skills s
     SET scope_type = NEW.scope_type,
         scope_id   = NEW.scope_id,
         holds_name = NEW.status IN ('pending', 'active', 'validated', 'quarantined')
   WHERE s.workspace_id = NEW.workspace_id AND s.card_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER cards_skill_follows
  AFTER UPDATE ON cards
  FOR EACH ROW
  WHEN (NEW.kind = 'skill_lesson'
        AND (OLD.status, OLD.scope_type, OLD.scope_id) IS DISTINCT FROM (NEW.status, NEW.scope_type, NEW.scope_id))
  EXECUTE FUNCTION skill_follows_card();

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['skills', 'skill_versions', 'skill_tests'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;
