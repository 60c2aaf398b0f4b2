-- What upkeep goes by: cards that wait for a model or a vector, captures that lost their workflow, keys
-- of requests that nobody repeats any more, and the one secret key that all processes share.

ALTER TABLE outbox DROP CONSTRAINT outbox_action_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_action_check
  CHECK (action IN ('start_capture', 'restart_capture', 'start_embed', 'start_redistill'));

-- distill_tries counts passes in which the model answered and its answer was of no use; distill_end says
-- why a card of the stand-in is not written again. swept_at is when its lost start was sent once more.
ALTER TABLE captures
  ADD COLUMN distill_tries int NOT NULL DEFAULT 0,
  ADD COLUMN distill_end   text CHECK (distill_end IN ('rewritten', 'payload_missing', 'judged', 'retired', 'gave_up')),
  ADD COLUMN swept_at      timestamptz;

-- Nearly empty: a card without a vector waits for minutes at most.
CREATE INDEX cards_without_vector ON cards (workspace_id) WHERE embedder IS NULL AND status <> 'deleted';
CREATE INDEX idempotency_by_age ON idempotency (workspace_id, created_at);
CREATE INDEX runs_by_workflow ON runs (workspace_id, workflow_id, created_at DESC) WHERE type <> 'capture';

-- One row: the salted hash of the key that the tokens and pseudonyms in this database were made with.
CREATE TABLE installation (
  one             boolean PRIMARY KEY DEFAULT true CHECK (one),
  key_salt        bytea NOT NULL,
  key_fingerprint bytea NOT NULL,
  created_at      timestamptz NOT NULL
);
GRANT SELECT, INSERT ON installation TO cairn_app;
