import type { Source, SourceKind, SourceName } from '../contracts/source';
import { changeAgent, holdAgent } from './agent-directory';
import type { Tx } from './database';
import { type Slice, type SliceRequest, sliceById } from './paging';

/**
 * Every source that was ever stopped. Of an agent its own switch counts, which `PUT /v1/agents` turns too:
 * then why and when are not known.
 */
const SELECT = `
  SELECT s.kind || ':' || s.name AS id, s.kind, s.name, s.stopped, r.text AS reason, s.changed_at
    FROM sources s
    LEFT JOIN reasons r ON r.workspace_id = s.workspace_id AND r.id = s.reason_id
   WHERE s.workspace_id = $1 AND s.kind <> 'agent'
  UNION ALL
  SELECT 'agent:' || a.id, 'agent', a.id, a.writes_stopped, r.text,
         CASE WHEN s.stopped = a.writes_stopped THEN s.changed_at END
    FROM agents a
    LEFT JOIN sources s ON s.workspace_id = $1 AND s.kind = 'agent' AND s.name = a.id
    LEFT JOIN reasons r ON r.workspace_id = $1 AND r.id = s.reason_id AND s.stopped = a.writes_stopped
   WHERE a.workspace_id = $1 AND (a.writes_stopped OR s.name IS NOT NULL)`;

export async function readSource(tx: Tx, { kind, name }: SourceName): Promise<Source | null> {
  const [row] = await tx.query<Source>(
    `SELECT * FROM (${SELECT}) found WHERE kind = $2 AND name = $3`,
    [tx.workspace, kind, name],
  );
  return row ?? null;
}

export interface SourceFilter {
  kind: SourceKind | null;
  stopped: boolean | null;
}

export async function listSources(
  tx: Tx,
  { kind, stopped }: SourceFilter,
  page: SliceRequest,
): Promise<Slice<Source>> {
  const select = `SELECT * FROM (${SELECT}) found
                   WHERE ($2::text IS NULL OR kind = $2) AND ($3::boolean IS NULL OR stopped = $3)`;
  return await sliceById<Source>(tx, select, [tx.workspace, kind, stopped], page);
}

export interface SourceSwitch {
  stopped: boolean;
  /** Of a reason that is kept already. */
  reasonId: string | null;
  at: Date;
}

/**
 * Stops a source, or lifts that, from the next request on.
 * @returns whether anything changed; null for an agent that is not known
 */
export async function switchSource(
  tx: Tx,
  { kind, name }: SourceName,
  { stopped, reasonId, at }: SourceSwitch,
): Promise<boolean | null> {
  const before = kind === 'agent' ? await switchAgent(tx, name, stopped) : null;
  if (kind === 'agent' && before === null) return null;
  const [held] = await tx.query<{ stopped: boolean }>(
    `INSERT INTO sources (workspace_id, kind, name, stopped, created_at, changed_at)
     VALUES ($1, $2, $3, false, $4, $4)
     ON CONFLICT (workspace_id, kind, name) DO UPDATE SET name = EXCLUDED.name
     RETURNING stopped`,
    [tx.workspace, kind, name, at],
  );
  const was = before ?? held?.stopped ?? false;
  if (was === stopped) return false;
  await tx.query(
    `UPDATE sources SET stopped = $4, reason_id = $5, changed_at = $6
      WHERE workspace_id = $1 AND kind = $2 AND name = $3`,
    [tx.workspace, kind, name, stopped, reasonId, at],
  );
  return true;
}

/** @returns whether it was stopped before; null where there is no such agent */
async function switchAgent(tx: Tx, id: string, stopped: boolean): Promise<boolean | null> {
  const agent = await holdAgent(tx, id);
  if (agent === null) return null;
  await changeAgent(tx, agent, { writes_stopped: stopped });
  return agent.writes_stopped;
}

/** An agent's switch was turned without a word of why. */
export async function noteSwitched(
  tx: Tx,
  agent: string,
  stopped: boolean,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE sources SET stopped = $3, reason_id = NULL, changed_at = $4
      WHERE workspace_id = $1 AND kind = 'agent' AND name = $2`,
    [tx.workspace, agent, stopped, at],
  );
}

/** The names of the services that are stopped, and whether this runtime is. */
export interface Stopped {
  services: ReadonlySet<string>;
  runtime: boolean;
}

/** What is stopped of what a batch comes from; read in the transaction that records it. */
export async function readStopped(
  tx: Tx,
  reporter: { kind: string; id: string },
  services: readonly string[],
): Promise<Stopped> {
  const rows = await tx.query<SourceName>(
    `SELECT kind, name FROM sources
      WHERE workspace_id = $1 AND stopped
        AND (kind = 'service' AND name = ANY ($4) OR kind = 'runtime' AND $2 = 'runtime' AND name = $3)`,
    [tx.workspace, reporter.kind, reporter.id, services],
  );
  return {
    services: new Set(rows.filter(({ kind }) => kind === 'service').map(({ name }) => name)),
    runtime: rows.some(({ kind }) => kind === 'runtime'),
  };
}
