-- Memory that is off gives nothing: not to an agent whose own is, nor to any agent of a workspace whose
-- is; nor does it show an agent what is about a subject whose is. People go on seeing everything, so that
-- they can correct and erase it.

CREATE INDEX subjects_off ON subjects (workspace_id, id) WHERE memory = 'off';

-- Of an agent that is not known, whether the workspace's is.
CREATE FUNCTION memory_off(p_workspace text, p_agent text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = p_workspace AND w.memory_mode = 'off')
      OR EXISTS (SELECT 1 FROM agents a
                  WHERE a.workspace_id = p_workspace AND a.id = p_agent AND a.memory_mode = 'off')
$$;

-- As 0005 has it, but that a reader whose memory is off is none, and without what is about subjects whose is. Each
-- path is one that an index answers whoever reads: with two ways in one condition the read of every agent went
-- through all cards of the workspace.
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

-- As 0013 has it; a reader whose memory is off is none.
CREATE OR REPLACE FUNCTION reader_paths(p_workspace text, p_agent text, p_person text)
RETURNS TABLE (self text, team text, predecessor text, ancestors text[], household text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE reader AS (
    SELECT a.id, a.team_id, a.parent_agent, a.succeeds
      FROM agents a
     WHERE a.workspace_id = p_workspace AND a.id = p_agent AND NOT memory_off(p_workspace, p_agent)
  ),
  up AS (
    SELECT r.parent_agent AS id, 1 AS hops FROM reader r WHERE r.parent_agent IS NOT NULL
    UNION ALL
    SELECT a.parent_agent, up.hops + 1
      FROM up
      JOIN agents a ON a.workspace_id = p_workspace AND a.id = up.id
     WHERE up.hops < 3 AND a.parent_agent IS NOT NULL
  )
  SELECT r.id, r.team_id, r.succeeds, ARRAY(SELECT id FROM up),
         (SELECT s.household
            FROM people p
            JOIN subjects s ON s.workspace_id = p_workspace AND s.id = p.subject_id
           WHERE p.workspace_id = p_workspace AND p.id = p_person)
    FROM (SELECT 1) AS one
    LEFT JOIN reader r ON true
$$;

-- As 0013 has it, without what is about subjects whose memory is off.
CREATE OR REPLACE FUNCTION visible_among(
  p_workspace  text,
  p_agent      text,
  p_person     text,
  p_everything boolean,
  p_subject    text,
  p_now        timestamptz,
  p_cards      text[]
) RETURNS TABLE (card_id text, via text) LANGUAGE sql STABLE AS $$
  WITH paths AS MATERIALIZED (
    SELECT * FROM reader_paths(p_workspace, p_agent, p_person)
  ),
  live AS MATERIALIZED (
    SELECT c.id, c.scope_type, c.scope_id, c.visibility, c.subject
      FROM unnest(p_cards) AS asked (id)
     CROSS JOIN LATERAL (SELECT * FROM cards WHERE workspace_id = p_workspace AND cards.id = asked.id OFFSET 0) c
     WHERE c.status <> 'deleted'
       AND (p_everything OR c.status NOT IN ('quarantined', 'rejected'))
       AND (c.expires_at IS NULL OR c.expires_at > p_now)
  )
  SELECT c.id, w.via
    FROM live c
    JOIN paths p ON p.self IS NOT NULL
   CROSS JOIN LATERAL (
     SELECT 'own' AS via WHERE c.scope_type = 'agent' AND c.scope_id = p.self
     UNION ALL
     SELECT 'team' WHERE c.scope_type = 'team' AND c.scope_id = p.team
     UNION ALL
     SELECT 'workspace' WHERE c.scope_type = 'workspace'
     UNION ALL
     SELECT 'ancestor' WHERE c.scope_type = 'agent' AND c.scope_id = ANY (p.ancestors)
     UNION ALL
     SELECT 'predecessor' WHERE c.scope_type = 'agent' AND c.scope_id = p.predecessor
     UNION ALL
     SELECT g.grant_type FROM card_grants g
      WHERE g.workspace_id = p_workspace AND g.card_id = c.id AND g.agent_id = p.self
        AND g.grant_type IN ('explicit', 'agent_group')
        AND (g.expires_at IS NULL OR g.expires_at > p_now)
     UNION ALL
     SELECT 'household' FROM subjects s
      WHERE c.visibility = 'household' AND s.workspace_id = p_workspace AND s.id = c.subject
        AND s.household = p.household
     UNION ALL
     SELECT 'organization' WHERE c.visibility = 'organization'
   ) w
   WHERE (c.subject IN (SELECT s.id FROM subjects s WHERE s.workspace_id = p_workspace AND s.memory = 'off'))
         IS NOT TRUE
  UNION ALL
  SELECT c.id, 'person'
    FROM live c
   WHERE p_everything OR c.subject = p_subject
$$;
