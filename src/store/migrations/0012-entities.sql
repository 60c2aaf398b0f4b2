-- What a card names, so that a query finds who acted and two cards meet by a name that few have. Written
-- with the card, in the words of its index, and replaced with them.

CREATE TABLE entities (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  name         text NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('service', 'operation', 'subject', 'person', 'thing', 'keyword', 'agent')),
  acts         boolean NOT NULL,   -- whose card it is or whom it is about, not who is mentioned
  PRIMARY KEY (workspace_id, card_id, name)
);
CREATE INDEX entities_by_name ON entities (workspace_id, name, acts, card_id);

ALTER TABLE entities ENABLE ROW LEVEL SECURITY;
ALTER TABLE entities FORCE ROW LEVEL SECURITY;
CREATE POLICY entities_of_workspace ON entities
  USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON entities TO cairn_app;

-- Of cards from before, their labels; what their text names comes with the next change of it.
INSERT INTO entities (workspace_id, card_id, name, kind, acts)
SELECT DISTINCT ON (c.workspace_id, c.id, l.name) c.workspace_id, c.id, l.name, l.kind, l.acts
  FROM cards c
 CROSS JOIN LATERAL (VALUES
   (lower(left(c.service, 80)), 'service', false),
   (lower(left(c.operation, 80)), 'operation', false),
   (lower(left(c.subject, 80)), 'subject', true),
   (lower(left(c.agent_id, 80)), 'agent', true)
 ) AS l (name, kind, acts)
 WHERE length(l.name) > 1
 ORDER BY c.workspace_id, c.id, l.name, l.acts DESC;
