import { setTimeout as sleep } from 'node:timers/promises';
import { permanent } from '../../activities/failure';
import { CairnError } from '../../client/error';
import type { Clock } from '../../contracts/clock';
import type { CaptureResult } from '../../contracts/messages';
import type { Principal } from '../../contracts/principal';
import { Intake, type Reporting } from '../../intake/intake';
import { findCredential, keyHash } from '../../store/credentials';
import { Database } from '../../store/database';
import { readOperation } from '../../store/operations';
import { type Recorder, settledOf } from './recorder';

export interface PostgresRecorderOptions {
  /** A real server, the one that Cairn has: the embedded database is one session, and is taken. */
  databaseUrl: string;
  /** Of the installation: makes the tokens and pseudonyms that everybody else makes. */
  secretKey: string;
  key: string;
}

/** An event is three short statements; a worker's activities wait for a connection in turn. */
const CONNECTIONS = 4;
const ACQUIRE_TIMEOUT_MS = 8_000;
const LOOK_EVERY_MS = 250;

/** Intake in this process: the same cleaning, checks and redaction, and one hop less. */
export function postgresRecorder(options: PostgresRecorderOptions): Recorder {
  const { databaseUrl: url, secretKey, key } = options;
  const clock: Clock = () => new Date();
  const database = new Database({
    url,
    connections: CONNECTIONS,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    onIdleError: () => {},
  });
  const intake = new Intake({ database, clock, secretKey });
  const hash = keyHash(key);

  return {
    async record(event, startAfterMs) {
      const by = await reporterOf(database, hash, clock());
      const [item] = await intake.record({ ...by, startAfterMs }, [event]);
      const { event_id, operation_id, workflow_id, reason } = item ?? {};
      if (reason !== undefined)
        throw new CairnError(422, reason.code, reason.detail, { ...reason });
      if (item === undefined || !event_id || !operation_id || !workflow_id) {
        throw new Error('intake answered without ids');
      }
      return {
        event_id,
        operation_id,
        workspace: by.workspace,
        workflow_id,
        status: item.status === 'duplicate' ? 'duplicate' : 'accepted',
        disposition: item.disposition ?? 'pending',
        card_id: item.card_id ?? null,
      };
    },

    async settled({ workspace, operation_id }, waitMs, signal) {
      const by = await reporterOf(database, hash, clock());
      if (by.workspace !== workspace) throw permanent('not_allowed');
      const reader = {
        agent: by.principal.kind === 'agent' ? by.principal.id : null,
        subject: null,
      };
      const until = clock().getTime() + waitMs;
      for (;;) {
        const operation = await database.inWorkspace(workspace, (tx) =>
          readOperation(tx, operation_id, reader),
        );
        if (operation === null) throw permanent('refused');
        if (operation.state !== 'pending' && operation.state !== 'running') {
          return settledOf(operation.result as Partial<CaptureResult> | null);
        }
        if (clock().getTime() >= until) return null;
        await sleep(LOOK_EVERY_MS, undefined, { signal });
      }
    },

    close: () => database.close(),
  };
}

/** Judged at each call, as at the edge: a key that was revoked reports nothing more. */
async function reporterOf(database: Database, hash: Buffer, now: Date): Promise<Reporting> {
  const nobody = () => ({ agent: null, person: null });
  const found = await findCredential(database, { by: 'key', hash }, nobody, now);
  if (found === null) throw permanent('unauthenticated');
  const { principal_kind: kind, principal_id: id, role, bootstrap } = found;
  // People report through a runtime's key, and a restricted agent's work is reported by its parent.
  if (found.restricted || (kind === 'person' && !bootstrap)) throw permanent('not_allowed');
  const principal: Principal = { kind, id, role, bootstrap };
  return { workspace: found.workspace_id, principal };
}
