-- Recall over many cards: from the best of each arm outwards, and not over all that is visible.

-- What decides what a reader may see, as one row; all null where the reader is no agent.
CREATE FUNCTION reader_paths(p_workspace text, p_agent text, p_person text)
RETURNS TABLE (self text, team text, predecessor text, ancestors text[], household text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE reader AS (
    SELECT a.id, a.team_id, a.parent_agent, a.succeeds
      FROM agents a
     WHERE a.workspace_id = p_workspace AND a.id = p_agent
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

-- What `visible_cards` says of these cards; the same rules, asked the other way round.
CREATE FUNCTION visible_among(
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
  UNION ALL
  SELECT c.id, 'person'
    FROM live c
   WHERE p_everything OR c.subject = p_subject
$$;

-- What comes before and after a card in its session, or without one in its task.
CREATE INDEX cards_by_episode ON cards (workspace_id, COALESCE(session, task), valid_from, id)
  WHERE COALESCE(session, task) IS NOT NULL;

-- How many cards there are and how often each word occurs in them, rolled up behind the newest by the
-- server. It counts what is filed and forgets nothing: good for estimates, and for the rarity of a word
-- among very many cards.
CREATE TABLE scope_statistics (
  workspace_id text NOT NULL,
  scope_type   text NOT NULL,
  scope_id     text NOT NULL,
  visibility   text NOT NULL,
  cards        bigint NOT NULL,
  words        bigint NOT NULL,
  PRIMARY KEY (workspace_id, scope_type, scope_id, visibility)
);
CREATE TABLE term_statistics (
  workspace_id text NOT NULL,
  term         text NOT NULL,
  cards        bigint NOT NULL,
  PRIMARY KEY (workspace_id, term)
);
-- Cards with a lower id are counted; ids rise with time.
CREATE TABLE statistics_marks (
  workspace_id text PRIMARY KEY REFERENCES workspaces,
  counted_to   text NOT NULL
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['scope_statistics', 'term_statistics', 'statistics_marks'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;
