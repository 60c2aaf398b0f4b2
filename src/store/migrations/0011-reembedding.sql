-- Which model's vectors a workspace is served by, and which one is under way to replace them.
--
-- served:    embedding_model is the model, embedding_shadow is null. Both null: whatever model the first
--            vectors are of.
-- shadowing: embedding_shadow is the new model. What is filed gets its vectors, older cards get them batch
--            by batch, and each keeps those of embedding_model beside them: recall searches both.
-- cut over:  in one transaction, once no card lacks a vector of the new model, embedding_model becomes the
--            new one and embedding_shadow null. That is served again.
-- cleared:   vectors of other models whose card has one of the served model are deleted in batches.
--
-- A start with a third model, or with the old one again, shadows anew, with the vectors that are there.
ALTER TABLE workspaces
  ADD COLUMN embedding_model  text,
  ADD COLUMN embedding_shadow text,
  ADD COLUMN embedding_since  timestamptz, -- since when it is so
  ADD CONSTRAINT workspaces_shadow_another_model CHECK (embedding_shadow <> embedding_model);

-- Whether there are vectors of another model is asked of every workspace at every sweep.
CREATE INDEX card_embeddings_by_model ON card_embeddings (workspace_id, model, card_id);

ALTER TABLE outbox DROP CONSTRAINT outbox_action_check;
ALTER TABLE outbox ADD CONSTRAINT outbox_action_check
  CHECK (action IN ('start_capture', 'restart_capture', 'start_embed', 'start_redistill', 'start_reembed'));
