-- A capture that the policy holds back has its card as a carded one has, and its content is filed once.

ALTER TABLE captures DROP CONSTRAINT captures_check;

-- Until now such a card was named by the record of its run alone. Of one content the first keeps it, and
-- none where the content was carded. Whoever migrates owns the tables and need not be above their rules.
ALTER TABLE captures NO FORCE ROW LEVEL SECURITY;
ALTER TABLE runs NO FORCE ROW LEVEL SECURITY;
UPDATE captures c
   SET card_id = r.result ->> 'card_id'
  FROM runs r
 WHERE r.workspace_id = c.workspace_id AND r.id = c.operation_id AND c.disposition = 'quarantined'
   AND NOT EXISTS (
         SELECT 1
           FROM captures t
          WHERE t.workspace_id = c.workspace_id AND t.dedupe_hash = c.dedupe_hash AND t.event_id <> c.event_id
            AND (t.disposition = 'carded'
              OR t.disposition = 'quarantined' AND (t.settled_at, t.event_id) < (c.settled_at, c.event_id)));
ALTER TABLE captures FORCE ROW LEVEL SECURITY;
ALTER TABLE runs FORCE ROW LEVEL SECURITY;

ALTER TABLE captures ADD CONSTRAINT captures_name_their_card CHECK (
  CASE disposition
    WHEN 'carded' THEN card_id IS NOT NULL
    WHEN 'quarantined' THEN true
    ELSE card_id IS NULL
  END);

DROP INDEX captures_one_card_per_content;
CREATE UNIQUE INDEX captures_one_card_per_content ON captures (workspace_id, dedupe_hash)
  WHERE card_id IS NOT NULL AND dedupe_hash IS NOT NULL;
