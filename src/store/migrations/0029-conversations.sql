-- Conversations: messages as rows, the summary of the older ones, and the details that it must keep.

CREATE TABLE conversations (
  workspace_id       text NOT NULL REFERENCES workspaces,
  id                 text NOT NULL,
  agent_id           text NOT NULL,
  subject            text,
  project            text,
  status             text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed', 'archived')),
  messages           int NOT NULL DEFAULT 0,
  tokens             bigint NOT NULL DEFAULT 0,
  -- The steered summary of messages 1 to summarized_through; null where there is none yet.
  summary            text,
  summary_version    int NOT NULL DEFAULT 0,
  summary_by         text CHECK (summary_by IN ('model', 'fallback')),
  summarized_through int NOT NULL DEFAULT 0,
  -- The last message that was looked through for facts.
  facts_through      int NOT NULL DEFAULT 0,
  -- How many compactions were asked for, and the one that is under way.
  compactions        int NOT NULL DEFAULT 0,
  compacting         text,
  -- The last message of the user, and its words as the details are looked up by.
  asked_n            int,
  asked_terms        text[] NOT NULL DEFAULT '{}',
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  closed_at          timestamptz,
  archived_at        timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, agent_id) REFERENCES agents (workspace_id, id)
);
CREATE INDEX conversations_by_agent ON conversations (workspace_id, agent_id, id);
CREATE INDEX conversations_by_project ON conversations (workspace_id, project) WHERE project IS NOT NULL;
CREATE INDEX conversations_by_subject ON conversations (workspace_id, subject) WHERE subject IS NOT NULL;

CREATE TABLE messages (
  workspace_id    text NOT NULL,
  conversation_id text NOT NULL,
  n               int NOT NULL CHECK (n >= 1),
  role            text NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
  -- Redacted. Null once the raw text of a used tool result is gone.
  content         text,
  name            text,
  tool_call_id    text,
  at              timestamptz NOT NULL,
  recorded_at     timestamptz NOT NULL,
  tokens          int NOT NULL,
  -- Of a tool result that was answered from: what was taken, in place of the raw text.
  extracted       text,
  extracted_tokens int,
  PRIMARY KEY (workspace_id, conversation_id, n),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
);

-- Instructions stay in every context, however old they are.
CREATE INDEX messages_of_system ON messages (workspace_id, conversation_id, n) WHERE role = 'system';
-- Results that nobody has answered from yet, and raw text of those that were.
CREATE INDEX messages_unused ON messages (workspace_id, conversation_id, n)
  WHERE role = 'tool' AND extracted IS NULL AND content IS NOT NULL;
CREATE INDEX messages_to_clear ON messages (workspace_id, recorded_at)
  WHERE role = 'tool' AND extracted IS NOT NULL AND content IS NOT NULL;

-- What a summary must keep, clause by clause; what it has no room for comes back where it is asked about.
CREATE TABLE conversation_details (
  workspace_id    text NOT NULL,
  conversation_id text NOT NULL,
  n               int NOT NULL,
  k               int NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('decision', 'concrete', 'open')),
  text            text NOT NULL,
  items           text[] NOT NULL DEFAULT '{}',
  -- Its words as recall has them, to be found by.
  terms           text[] NOT NULL DEFAULT '{}',
  -- The words of the message before, which it may be the answer to.
  near            text[] NOT NULL DEFAULT '{}',
  in_summary      boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, conversation_id, n, k),
  FOREIGN KEY (workspace_id, conversation_id, n) REFERENCES messages (workspace_id, conversation_id, n)
);
-- They are looked through a conversation at a time, by the key: an index of words would cost every append more.

-- What a model wrote and the check has not passed yet. Erasable, never in Temporal.
CREATE TABLE compaction_drafts (
  workspace_id    text NOT NULL,
  conversation_id text NOT NULL,
  n               int NOT NULL,
  draft           jsonb NOT NULL,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, n),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, id)
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['conversations', 'messages', 'conversation_details', 'compaction_drafts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;
