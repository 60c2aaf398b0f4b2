-- Who is signed in to the console: a row stands for a cookie that a person's key has opened. Neither the key nor
-- the cookie is kept; the row goes with its key, and is good for no longer than that.

CREATE TABLE console_sessions (
  workspace_id text NOT NULL,
  -- SHA-256 of 32 random bytes, as the cookie writes them.
  token_hash   bytea NOT NULL,
  key_id       text NOT NULL,
  created_at   timestamptz NOT NULL,
  -- To the minute: a session in steady use writes it once a minute.
  last_seen_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id, key_id) REFERENCES api_keys (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX console_sessions_by_hash ON console_sessions (token_hash);
CREATE INDEX console_sessions_by_key ON console_sessions (workspace_id, key_id, created_at);

-- Like a key, a cookie is read before its workspace is known.
ALTER TABLE console_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE console_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY console_sessions_of_workspace ON console_sessions
  USING (current_setting('cairn.workspace', true) IN (workspace_id, '*'));
GRANT SELECT, INSERT, UPDATE, DELETE ON console_sessions TO cairn_app;
