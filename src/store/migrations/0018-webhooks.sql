-- Who outside is told of what happens here, and what came of it.

CREATE TABLE webhooks (
  workspace_id text NOT NULL REFERENCES workspaces,
  id           text NOT NULL,
  -- Address and secret: whoever has them may post, or sign as we do. Readable with the installation's key only.
  sealed       bytea NOT NULL,
  has_secret   boolean NOT NULL,
  events       text[] NOT NULL CHECK (cardinality(events) > 0 AND events <@ ARRAY['proposal.opened',
                 'proposal.reminder', 'proposal.decided', 'config_fix.approved', 'config_fix.closed',
                 'insight.urgent', 'run.failed', 'erasure.completed', 'card.quarantined', 'ping']),
  -- The number of its newest delivery.
  last_n       bigint NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL,
  changed_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

-- pending:   its item in the outbox is due at next_at.
-- delivered: the receiver answered 2xx.
-- failed:    given up, by its tries or by a 410; a retry by hand makes it pending again.
CREATE TABLE deliveries (
  workspace_id text NOT NULL,
  webhook_id   text NOT NULL,
  n            bigint NOT NULL,
  -- Of what is told: two webhooks that are told the same have it twice.
  id           text NOT NULL,
  type         text NOT NULL CHECK (type IN ('proposal.opened', 'proposal.reminder', 'proposal.decided',
                 'config_fix.approved', 'config_fix.closed', 'insight.urgent', 'run.failed',
                 'erasure.completed', 'card.quarantined', 'ping')),
  at           timestamptz NOT NULL,
  data         jsonb NOT NULL,   -- ids and codes
  state        text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts     int NOT NULL DEFAULT 0,
  round_tries  int NOT NULL DEFAULT 0,   -- of the attempts, those since it was last made pending
  last_status  int,
  last_error   text CHECK (last_error IN ('timeout', 'unresolved', 'address_refused', 'url_refused',
                 'unreachable', 'tls', 'bad_answer', 'redirected', 'gone', 'status', 'internal')),
  created_at   timestamptz NOT NULL,
  delivered_at timestamptz,
  next_at      timestamptz,
  PRIMARY KEY (workspace_id, webhook_id, n),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks (workspace_id, id) ON DELETE CASCADE,
  CHECK ((state = 'pending') = (next_at IS NOT NULL))
);
CREATE INDEX deliveries_by_age ON deliveries (workspace_id, created_at);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['webhooks', 'deliveries'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY %I ON %I USING (workspace_id = current_setting(''cairn.workspace'', true))',
                   t || '_of_workspace', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO cairn_app', t);
  END LOOP;
END
$$;

-- Deliveries leave through the outbox in a lane of their own: however many wait for a receiver that is
-- dead, whoever looks for a start does not meet one of them, and each webhook has its own queue.
ALTER TABLE outbox DROP CONSTRAINT IF EXISTS outbox_action_check;
ALTER TABLE outbox ADD COLUMN webhook_id text;
ALTER TABLE outbox ADD CONSTRAINT outbox_deliveries_name_their_webhook
  CHECK ((action = 'deliver_webhook') = (webhook_id IS NOT NULL));
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (next_at, id) WHERE webhook_id IS NULL;
CREATE INDEX outbox_deliveries ON outbox (workspace_id, webhook_id, next_at, id) WHERE webhook_id IS NOT NULL;
