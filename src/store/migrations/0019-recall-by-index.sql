-- Recall by index among growing numbers of cards.

-- An expression that row-level security lets an index answer: it takes COALESCE for one that may tell.
DROP INDEX cards_by_episode;
CREATE INDEX cards_by_episode
  ON cards (workspace_id, (CASE WHEN session IS NULL THEN task ELSE session END), valid_from, id);

-- The words of one card, read from the index alone.
DROP INDEX card_terms_by_card;
CREATE INDEX card_terms_by_card ON card_terms (workspace_id, card_id, term) INCLUDE (frequency, length);

-- As 0016 has it; but each path is one that an index answers whoever reads: with two ways in one condition the
-- read of every agent went through all cards of the workspace.
CREATE OR REPLACE FUNCTION visible_cards(
  p_workspace  text,
  p_agent      text,
  p_person     text,
  p_everything boolean,
  p_subject    text,
  p_now        timestamptz
) RETURNS TABLE (card_id text, via text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE reader AS (
    SELECT a.id, a.team_id, a.parent_agent, a.succeeds
      FROM agents a
     WHERE a.workspace_id = p_workspace AND a.id = p_agent AND NOT memory_off(p_workspace, p_agent)
  ),
  ancestors AS (
    SELECT r.parent_agent AS id, 1 AS hops
      FROM reader r
     WHERE r.parent_agent IS NOT NULL
    UNION ALL
    SELECT a.parent_agent, up.hops + 1
      FROM ancestors up
      JOIN agents a ON a.workspace_id = p_workspace AND a.id = up.id
     WHERE up.hops < 3 AND a.parent_agent IS NOT NULL
  ),
  acted_for AS (
    SELECT s.household
      FROM people p
      JOIN subjects s ON s.workspace_id = p_workspace AND s.id = p.subject_id
     WHERE p.workspace_id = p_workspace AND p.id = p_person AND s.household IS NOT NULL
  ),
  live AS NOT MATERIALIZED (
    SELECT c.id, c.scope_type, c.scope_id, c.visibility, c.subject
      FROM cards c
     WHERE c.workspace_id = p_workspace
       AND c.status <> 'deleted'
       AND (p_everything OR c.status NOT IN ('quarantined', 'rejected'))
       AND (c.expires_at IS NULL OR c.expires_at > p_now)
  ),
  switched_off AS MATERIALIZED (
    SELECT s.id FROM subjects s WHERE s.workspace_id = p_workspace AND s.memory = 'off'
  ),
  -- By hash: `IS NOT TRUE` keeps it from becoming a join with every path.
  told AS NOT MATERIALIZED (
    SELECT c.* FROM live c WHERE (c.subject IN (SELECT id FROM switched_off)) IS NOT TRUE
  )
  SELECT c.id, 'own' AS via
    FROM told c
    JOIN reader r ON c.scope_type = 'agent' AND c.scope_id = r.id
  UNION ALL
  SELECT c.id, 'team'
    FROM told c
    JOIN reader r ON c.scope_type = 'team' AND c.scope_id = r.team_id
  UNION ALL
  SELECT c.id, 'workspace'
    FROM told c
    JOIN reader r ON c.scope_type = 'workspace'
  UNION ALL
  SELECT c.id, 'ancestor'
    FROM told c
    JOIN (SELECT DISTINCT id FROM ancestors LIMIT 3) up ON c.scope_type = 'agent' AND c.scope_id = up.id
  UNION ALL
  SELECT c.id, 'predecessor'
    FROM told c
    JOIN reader r ON c.scope_type = 'agent' AND c.scope_id = r.succeeds
  UNION ALL
  SELECT c.id, g.grant_type
    FROM reader r
    JOIN card_grants g ON g.workspace_id = p_workspace AND g.agent_id = r.id
    JOIN told c ON c.id = g.card_id
   WHERE g.grant_type IN ('explicit', 'agent_group')
     AND (g.expires_at IS NULL OR g.expires_at > p_now)
  UNION ALL
  SELECT c.id, 'household'
    FROM told c
    JOIN subjects s ON s.workspace_id = p_workspace AND s.id = c.subject
    JOIN acted_for f ON f.household = s.household
    JOIN reader r ON true
   WHERE c.visibility = 'household'
  UNION ALL
  SELECT c.id, 'organization'
    FROM told c
    JOIN reader r ON true
   WHERE c.visibility = 'organization'
  UNION ALL
  SELECT c.id, 'person'
    FROM live c
   WHERE p_everything
  UNION ALL
  SELECT c.id, 'person'
    FROM live c
   WHERE NOT p_everything AND c.subject = p_subject
$$;
