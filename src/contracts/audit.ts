import type { JsonObject } from './event';
import type { ExecutionMode, Via } from './names';

/** Content-free: field names, versions, hashes; a reason is referred to by id. */
export interface AuditRow {
  seq: number;
  at: string;
  actor: { kind: string; id: string };
  action: string;
  target: { type: string; id: string };
  changed: string[];
  versions: number[];
  hashes: JsonObject;
  reason_id: string | null;
  channel: string;
  workflow_id: string | null;
}

export interface AccessRow {
  id: number;
  at: string;
  agent: string | null;
  person: string | null;
  execution_mode: ExecutionMode;
  session: string | null;
  via: Via;
  surface: string;
  count: number;
  card_ids: string[];
}
