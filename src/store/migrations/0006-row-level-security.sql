-- The second wall: whatever a query forgets, it sees the rows of one workspace.
-- Only three tables are read before the workspace is known (a key's owner, what is due to be sent);
-- a transaction says so by setting cairn.workspace to '*'.

DO $$
DECLARE
  t text;
  across constant text[] := ARRAY['workspaces', 'api_keys', 'outbox'];
BEGIN
  FOR t IN
    SELECT c.relname
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
     WHERE c.relkind = 'r'
       AND EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'workspace_id')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    IF t = ANY (across) THEN
      EXECUTE format(
        'CREATE POLICY %I ON %I USING (current_setting(''cairn.workspace'', true) IN (workspace_id, ''*''))',
        t || '_of_workspace', t);
    ELSE
      EXECUTE format(
        'CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
        t || '_of_workspace', t);
    END IF;
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;

GRANT USAGE ON SCHEMA public TO cairn_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO cairn_app;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_log, access_log FROM cairn_app;
