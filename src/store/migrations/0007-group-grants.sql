-- Which groups a card was shared with. The rows that let an agent see it stay in card_grants, one an
-- agent: an agent of two groups keeps its row until the last of them is gone.

CREATE TABLE card_group_grants (
  workspace_id text NOT NULL,
  card_id      text NOT NULL,
  group_id     text NOT NULL,
  purpose      text,
  expires_at   timestamptz,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, card_id, group_id),
  FOREIGN KEY (workspace_id, card_id) REFERENCES cards (workspace_id, id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES agent_groups (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX card_group_grants_by_group ON card_group_grants (workspace_id, group_id);

ALTER TABLE card_group_grants ENABLE ROW LEVEL SECURITY;
ALTER TABLE card_group_grants FORCE ROW LEVEL SECURITY;
CREATE POLICY card_group_grants_of_workspace ON card_group_grants
  USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON card_group_grants TO cairn_app;

-- Brings the rows of one card (or of one agent) into line with its groups. Of several, the grant that
-- lasts longest counts.
CREATE FUNCTION materialize_group_grants(p_workspace text, p_card text, p_agent text)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM card_grants g
   WHERE g.workspace_id = p_workspace AND g.grant_type = 'agent_group'
     AND (p_card IS NULL OR g.card_id = p_card)
     AND (p_agent IS NULL OR g.agent_id = p_agent)
     AND NOT EXISTS (
       SELECT 1
         FROM card_group_grants s
         JOIN group_members m ON m.workspace_id = s.workspace_id AND m.group_id = s.group_id
        WHERE s.workspace_id = g.workspace_id AND s.card_id = g.card_id AND m.agent_id = g.agent_id);
  INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, group_id, purpose, expires_at, created_at)
  SELECT DISTINCT ON (s.card_id, m.agent_id)
         s.workspace_id, s.card_id, m.agent_id, 'agent_group', s.group_id, s.purpose, s.expires_at, s.created_at
    FROM card_group_grants s
    JOIN group_members m ON m.workspace_id = s.workspace_id AND m.group_id = s.group_id
   WHERE s.workspace_id = p_workspace
     AND (p_card IS NULL OR s.card_id = p_card)
     AND (p_agent IS NULL OR m.agent_id = p_agent)
   ORDER BY s.card_id, m.agent_id, s.expires_at DESC NULLS FIRST, s.created_at, s.group_id
  ON CONFLICT (workspace_id, card_id, agent_id, grant_type) DO UPDATE
     SET group_id = EXCLUDED.group_id, purpose = EXCLUDED.purpose, expires_at = EXCLUDED.expires_at,
         created_at = EXCLUDED.created_at;
END
$$;

-- Whoever joins a group sees what it was shown, and whoever leaves it no longer does, at once.
CREATE FUNCTION group_membership_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM materialize_group_grants(OLD.workspace_id, NULL, OLD.agent_id);
  ELSE
    PERFORM materialize_group_grants(NEW.workspace_id, NULL, NEW.agent_id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER group_grants_follow_membership AFTER INSERT OR DELETE ON group_members
  FOR EACH ROW EXECUTE FUNCTION group_membership_changed();
