-- A posting carries the length of its card's indexed text: BM25 then reads postings and nothing else.
ALTER TABLE card_terms ADD COLUMN length int;

UPDATE card_terms t
   SET length = c.index_length
  FROM cards c
 WHERE c.workspace_id = t.workspace_id AND c.id = t.card_id;

ALTER TABLE card_terms ALTER COLUMN length SET NOT NULL;

-- A card's postings are written with it and go with it, forty at a time: checking each against its card
-- was a tenth of what filing cost.
ALTER TABLE card_terms DROP CONSTRAINT card_terms_workspace_id_card_id_fkey;
