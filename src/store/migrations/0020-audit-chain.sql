-- What proves the two logs: blocks of their rows, hashed and chained to each other.

-- Block n holds every row of the audit log with a seq from audit_from to audit_to, of the access log with an
-- id from access_from to access_to; a range that ends before it begins holds none. The numbers of all blocks
-- follow upon each other, so that no number is outside of them. Hashes are SHA-256 in hex.
CREATE TABLE audit_chain (
  workspace_id text NOT NULL,
  n            int NOT NULL CHECK (n >= 1),
  -- How rows are written down to be hashed: src/domain/audit-chain.ts.
  form         int NOT NULL,
  audit_from   bigint NOT NULL,
  audit_to     bigint NOT NULL,
  audit_rows   int NOT NULL,
  -- `number:beginning of its hash` of each row: which one it is that was touched.
  audit_marks  text NOT NULL,
  access_from  bigint NOT NULL,
  access_to    bigint NOT NULL,
  access_rows  int NOT NULL,
  access_marks text NOT NULL,
  hash         text NOT NULL,
  sealed_at    timestamptz NOT NULL,
  workflow_id  text NOT NULL,
  -- Of all of this and of the head before it.
  head         text NOT NULL,
  -- Of two sealers one gets a number; the other goes on after it.
  PRIMARY KEY (workspace_id, n)
);

CREATE TRIGGER audit_chain_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_log_change();

ALTER TABLE audit_chain ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_chain FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_chain_of_workspace ON audit_chain
  USING (workspace_id = current_setting('cairn.workspace', true));
GRANT SELECT, INSERT ON audit_chain TO cairn_app;

-- A row of a log gets its number before it is committed, and may be committed after one with a higher number.
-- The sealer waits for all transactions that have an id when it looks; so whoever takes a number has to have
-- one. A trigger of the statement runs before any of its rows, and so before any number is taken.
CREATE FUNCTION take_transaction_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_current_xact_id();
  RETURN NULL;
END
$$;
CREATE TRIGGER audit_log_takes_a_transaction BEFORE INSERT ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION take_transaction_id();
CREATE TRIGGER access_log_takes_a_transaction BEFORE INSERT ON access_log
  FOR EACH STATEMENT EXECUTE FUNCTION take_transaction_id();
