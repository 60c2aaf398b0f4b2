-- A posting carries the length of its card's indexed text: BM25 then reads postings and nothing else.
ALTER TABLE card_terms ADD COLUMN length int;

UPDATE card_terms t
   SET length = c.index_length
  FROM cards c
 WHERE c.workspace_id = t.workspace_id AND c.id = t.card_id;

ALTER TABLE card_terms ALTER COLUMN length SET NOT NULL;
