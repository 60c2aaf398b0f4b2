-- Long results of tools go at their time, also those that nobody has answered from; more than 120 tokens are long, as
-- in src/domain/conversation/appending.ts.
DROP INDEX messages_to_clear;
CREATE INDEX messages_to_clear ON messages (workspace_id, recorded_at)
  WHERE role = 'tool' AND content IS NOT NULL AND (extracted IS NOT NULL OR tokens > 120);
