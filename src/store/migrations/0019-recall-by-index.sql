-- Recall by index among growing numbers of cards.

-- An expression that row-level security lets an index answer: it takes COALESCE for one that may tell.
DROP INDEX cards_by_episode;
CREATE INDEX cards_by_episode
  ON cards (workspace_id, (CASE WHEN session IS NULL THEN task ELSE session END), valid_from, id);

-- The words of one card, read from the index alone.
DROP INDEX card_terms_by_card;
CREATE INDEX card_terms_by_card ON card_terms (workspace_id, card_id, term) INCLUDE (frequency, length);
