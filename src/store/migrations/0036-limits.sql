-- Keys: a rate of their own, when they were last used, and which key they took the place of.

ALTER TABLE api_keys
  -- Lower than the policy's, or null: then that alone holds.
  ADD COLUMN requests_per_minute int CHECK (requests_per_minute >= 1),
  -- To the minute: a key in steady use writes it once a minute.
  ADD COLUMN last_used_at timestamptz,
  -- The key that was rotated.
  ADD COLUMN replaces text;

-- What a quota counts.
CREATE INDEX conversations_open ON conversations (workspace_id) WHERE status = 'open';
