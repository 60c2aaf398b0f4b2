-- The one read path (design §4). Who may see which card, judged now, never cached.
-- A card can be visible in several ways; each is a row of its own, since each is logged.

CREATE FUNCTION visible_cards(
  p_workspace  text,
  p_agent      text,         -- the reading agent, or null
  p_person     text,         -- the person acted for, or null
  p_everything boolean,      -- a person who names no agent
  p_subject    text,         -- a member who names no agent: what is about their own subject
  p_now        timestamptz
) RETURNS TABLE (card_id text, via text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE reader AS (
    SELECT a.id, a.team_id, a.parent_agent, a.succeeds
      FROM agents a
     WHERE a.workspace_id = p_workspace AND a.id = p_agent
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
  -- Inlined into each path below: joining the paths with the cards once more is quadratic on tables
  -- that were never analyzed (77 s for 5,000 cards).
  live AS NOT MATERIALIZED (
    SELECT c.id, c.scope_type, c.scope_id, c.visibility, c.subject
      FROM cards c
     WHERE c.workspace_id = p_workspace
       AND c.status <> 'deleted'
       AND (p_everything OR c.status NOT IN ('quarantined', 'rejected'))
       AND (c.expires_at IS NULL OR c.expires_at > p_now)
  )
  SELECT c.id, 'own' AS via
    FROM live c
    JOIN reader r ON c.scope_type = 'agent' AND c.scope_id = r.id
  UNION ALL
  SELECT c.id, 'team'
    FROM live c
    JOIN reader r ON c.scope_type = 'team' AND c.scope_id = r.team_id
  UNION ALL
  SELECT c.id, 'workspace'
    FROM live c
    JOIN reader r ON c.scope_type = 'workspace'
  UNION ALL
  SELECT c.id, 'ancestor'
    FROM live c
    JOIN (SELECT DISTINCT id FROM ancestors) up ON c.scope_type = 'agent' AND c.scope_id = up.id
  UNION ALL
  SELECT c.id, 'predecessor'
    FROM live c
    JOIN reader r ON c.scope_type = 'agent' AND c.scope_id = r.succeeds
  UNION ALL
  SELECT c.id, g.grant_type
    FROM reader r
    JOIN card_grants g ON g.workspace_id = p_workspace AND g.agent_id = r.id
    JOIN live c ON c.id = g.card_id
   WHERE g.grant_type IN ('explicit', 'agent_group')
     AND (g.expires_at IS NULL OR g.expires_at > p_now)
  UNION ALL
  SELECT c.id, 'household'
    FROM live c
    JOIN subjects s ON s.workspace_id = p_workspace AND s.id = c.subject
    JOIN acted_for f ON f.household = s.household
    JOIN reader r ON true
   WHERE c.visibility = 'household'
  UNION ALL
  SELECT c.id, 'organization'
    FROM live c
    JOIN reader r ON true
   WHERE c.visibility = 'organization'
  UNION ALL
  SELECT c.id, 'person'
    FROM live c
   WHERE p_everything OR c.subject = p_subject
$$;
