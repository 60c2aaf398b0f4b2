-- The unit of memory, its versions, what finds it, and what links it.

CREATE TABLE cards (
  workspace_id   text NOT NULL REFERENCES workspaces,
  id             text NOT NULL,
  kind           text NOT NULL CHECK (kind IN ('experience', 'constraint', 'delegation', 'knowledge', 'insight',
                   'convention', 'competence', 'skill_lesson')),
  tier           text NOT NULL CHECK (tier IN ('episodic', 'semantic', 'procedural')),
  sign           text NOT NULL CHECK (sign IN ('worked', 'failed', 'neutral')),
  status         text NOT NULL CHECK (status IN ('pending', 'active', 'validated', 'rejected', 'quarantined',
                   'superseded', 'archived', 'deleted')),
  status_before  text,
  summary        text NOT NULL CHECK (length(summary) BETWEEN 1 AND 2000),
  service        text,
  operation      text,
  task_type      text,
  workflow       text,
  step           text,
  keywords       text[] NOT NULL DEFAULT '{}',
  error_signature text,
  error_family   text,
  input_fields   jsonb NOT NULL DEFAULT '{}',
  key            text,
  subject        text,
  topic          text,
  project        text,
  session        text,
  task           text,
  parent_event   text,
  agent_id       text,
  scope_type     text NOT NULL CHECK (scope_type IN ('agent', 'team', 'workspace')),
  scope_id       text NOT NULL,
  visibility     text NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'household', 'organization')),
  importance     int CHECK (importance BETWEEN 1 AND 10),
  confidence     double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  trust          text NOT NULL CHECK (trust IN ('person', 'runtime', 'agent', 'web')),
  flags          text[] NOT NULL DEFAULT '{}',
  metadata       jsonb NOT NULL DEFAULT '{}',
  valid_from     timestamptz NOT NULL,
  valid_to       timestamptz,
  recorded_at    timestamptz NOT NULL,
  edited_at      timestamptz NOT NULL,
  validated_at   timestamptz,
  expires_at     timestamptz,
  version        int NOT NULL DEFAULT 1 CHECK (version >= 1),
  index_length   int NOT NULL DEFAULT 0,
  event_id       text,
  writer_kind    text NOT NULL CHECK (writer_kind IN ('person', 'agent', 'runtime')),
  writer_id      text NOT NULL,
  workflow_id    text,
  run_id         text,
  model          text,
  prompt_version text,
  embedder       text,
  distilled_by   text NOT NULL CHECK (distilled_by IN ('model', 'fallback', 'person')),
  superseded_by  text,
  PRIMARY KEY (workspace_id, id)
);
-- One card an event, whatever is retried, raced or replayed.
CREATE UNIQUE INDEX cards_one_per_event ON cards (workspace_id, event_id) WHERE event_id IS NOT NULL;
-- One current card a key (and subject) in a scope: what makes a note a note.
CREATE UNIQUE INDEX cards_one_current_per_key ON cards (workspace_id, scope_type, scope_id, key, COALESCE(subject, ''))
  WHERE key IS NOT NULL AND status IN ('pending', 'active', 'validated');
CREATE INDEX cards_by_scope ON cards (workspace_id, scope_type, scope_id, recorded_at DESC);
CREATE INDEX cards_by_recording ON cards (workspace_id, recorded_at DESC, id);
CREATE INDEX cards_by_operation ON cards (workspace_id, service, operation, recorded_at DESC);
CREATE INDEX cards_by_step ON cards (workspace_id, workflow, step, recorded_at DESC) WHERE step IS NOT NULL;
CREATE INDEX cards_by_key ON cards (workspace_id, key) WHERE key IS NOT NULL;
CREATE INDEX cards_by_subject ON cards (workspace_id, subject, recorded_at DESC) WHERE subject IS NOT NULL;
CREATE INDEX cards_by_visibility ON cards (workspace_id, visibility) WHERE visibility <> 'private';

-- The snapshot of each version as it was written: what a read of the past shows.
CREATE TABLE card_versions (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  version      int NOT NULL,
  at           timestamptz NOT NULL,
  actor_kind   text NOT NULL,
  actor_id     text NOT NULL,
  action       text NOT NULL,
  snapshot     jsonb NOT NULL,
  PRIMARY KEY (workspace_id, card_id, version),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id)
);

-- The model and its dimensions stand on every vector; two models are never compared.
CREATE TABLE card_embeddings (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  field        text NOT NULL,
  model        text NOT NULL,
  dims         int NOT NULL,
  embedding    vector NOT NULL,
  card_version int NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, card_id, field, model),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id)
);

CREATE TABLE card_terms (
  workspace_id text NOT NULL,
  term         text NOT NULL,
  card_id      text NOT NULL,
  frequency    int NOT NULL,
  PRIMARY KEY (workspace_id, term, card_id),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id)
);
CREATE INDEX card_terms_by_card ON card_terms (workspace_id, card_id);

CREATE TABLE edges (
  workspace_id text NOT NULL,
  id           text NOT NULL,
  type         text NOT NULL CHECK (type IN ('supports', 'constrains', 'satisfies', 'conflicts', 'derived_from', 'supersedes')),
  from_card    text NOT NULL,
  to_card      text NOT NULL,
  confidence   double precision NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  reason       text NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, from_card, to_card, type),
  FOREIGN KEY (workspace_id, from_card) REFERENCES cards (workspace_id, id),
  FOREIGN KEY (workspace_id, to_card) REFERENCES cards (workspace_id, id),
  CHECK (from_card <> to_card)
);
CREATE INDEX edges_by_target ON edges (workspace_id, to_card, type);

-- Private means no row: there is no grant type for it.
CREATE TABLE card_grants (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  agent_id     text NOT NULL,
  grant_type   text NOT NULL CHECK (grant_type IN ('explicit', 'agent_group', 'household', 'organization')),
  group_id     text,
  purpose      text,
  expires_at   timestamptz,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, card_id, agent_id, grant_type),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id)
);
CREATE INDEX card_grants_by_agent ON card_grants (workspace_id, agent_id);

CREATE TABLE card_usage (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  use_count    int NOT NULL,
  last_used_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, card_id)
);

-- What was injected where. The query's text is not kept.
CREATE TABLE recalls (
  workspace_id    text NOT NULL REFERENCES workspaces,
  id              text NOT NULL,
  at              timestamptz NOT NULL,
  agent_id        text,
  person_id       text,
  execution_mode  text NOT NULL CHECK (execution_mode IN ('interactive', 'headless')),
  session         text,
  intent          text NOT NULL CHECK (intent IN ('act', 'plan', 'look_up')),
  profile         text NOT NULL CHECK (profile IN ('fleet', 'episodic')),
  context_version text NOT NULL,
  degraded        text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX recalls_by_session ON recalls (workspace_id, session, at) WHERE session IS NOT NULL;

CREATE TABLE recall_cards (
  workspace_id text NOT NULL,
  recall_id    text NOT NULL,
  card_id      text NOT NULL,
  position     int NOT NULL,
  section      text NOT NULL,
  score        double precision NOT NULL,
  via          text[] NOT NULL,
  proven_at    timestamptz,
  PRIMARY KEY (workspace_id, recall_id, card_id),
  FOREIGN KEY (workspace_id, recall_id) REFERENCES recalls (workspace_id, id)
);
CREATE INDEX recall_cards_by_card ON recall_cards (workspace_id, card_id);

-- What a version of a card remembers: all that a reader can see of it, nothing that counts its use.
CREATE FUNCTION card_snapshot(card jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT card - ARRAY['workspace_id', 'id', 'status_before', 'index_length', 'input_fields']
$$;
