import type { Card } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type {
  CardFlag,
  CardKind,
  CardStatus,
  DistilledBy,
  ErrorFamily,
  ScopeType,
  Sign,
  Tier,
  Trust,
  Visibility,
  WriterKind,
} from '../contracts/names';

/** A row as `CARD_COLUMNS` selects it. */
export interface CardRow {
  id: string;
  kind: CardKind;
  tier: Tier;
  sign: Sign;
  status: CardStatus;
  summary: string;
  service: string | null;
  operation: string | null;
  task_type: string | null;
  workflow: string | null;
  step: string | null;
  keywords: string[];
  error_signature: string | null;
  error_family: ErrorFamily | null;
  key: string | null;
  subject: string | null;
  topic: string | null;
  project: string | null;
  session: string | null;
  scope_type: ScopeType;
  scope_id: string;
  visibility: Visibility;
  importance: number | null;
  confidence: number;
  trust: Trust;
  valid_from: string;
  valid_to: string | null;
  recorded_at: string;
  expires_at: string | null;
  use_count: number;
  last_used_at: string | null;
  version: number;
  metadata: JsonObject;
  flags: CardFlag[];
  event_id: string | null;
  writer_kind: WriterKind;
  writer_id: string;
  workflow_id: string | null;
  run_id: string | null;
  model: string | null;
  prompt_version: string | null;
  embedder: string | null;
  distilled_by: DistilledBy;
  superseded_by: string | null;
}

/** Of `cards c` and `LEFT JOIN card_usage u`; the one list of what a card's wire form is made from. */
export const CARD_COLUMNS = `c.id, c.kind, c.tier, c.sign, c.status, c.summary, c.service, c.operation,
  c.task_type, c.workflow, c.step, c.keywords, c.error_signature, c.error_family, c.key, c.subject, c.topic,
  c.project, c.session, c.scope_type, c.scope_id, c.visibility, c.importance, c.confidence, c.trust,
  c.valid_from, c.valid_to, c.recorded_at, c.expires_at, COALESCE(u.use_count, 0) AS use_count, u.last_used_at,
  c.version, c.metadata, c.flags, c.event_id, c.writer_kind, c.writer_id, c.workflow_id, c.run_id, c.model,
  c.prompt_version, c.embedder, c.distilled_by, c.superseded_by`;

/** The join that `CARD_COLUMNS` needs beside `cards c`. */
export const CARD_USAGE =
  'LEFT JOIN card_usage u ON u.workspace_id = c.workspace_id AND u.card_id = c.id';

/** The one mapping from columns to the card as every surface shows it. */
export function cardOf(row: CardRow): Card {
  return {
    id: row.id,
    kind: row.kind,
    tier: row.tier,
    sign: row.sign,
    status: row.status,
    summary: row.summary,
    hints: {
      service: row.service,
      operation: row.operation,
      task_type: row.task_type,
      workflow: row.workflow,
      step: row.step,
      keywords: row.keywords,
      error_signature: row.error_signature,
      error_family: row.error_family,
    },
    key: row.key,
    subject: row.subject,
    topic: row.topic,
    project: row.project,
    session: row.session,
    scope: { type: row.scope_type, id: row.scope_id },
    visibility: row.visibility,
    importance: row.importance,
    confidence: row.confidence,
    trust: row.trust,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    recorded_at: row.recorded_at,
    expires_at: row.expires_at,
    use_count: row.use_count,
    last_used_at: row.last_used_at,
    version: row.version,
    metadata: row.metadata,
    flags: row.flags,
    provenance: {
      event_id: row.event_id,
      writer: { kind: row.writer_kind, id: row.writer_id },
      workflow_id: row.workflow_id,
      run_id: row.run_id,
      model: row.model,
      prompt_version: row.prompt_version,
      embedder: row.embedder,
      distilled_by: row.distilled_by,
    },
    ...(row.superseded_by === null ? {} : { superseded_by: row.superseded_by }),
  };
}
