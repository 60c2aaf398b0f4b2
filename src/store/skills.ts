import type {
  SkillDocument,
  SkillStatus,
  SkillTestResult,
  SkillVersionStatus,
} from '../contracts/skill';
import type { Tx } from './database';

/** A version before it has a number. Everything in it is redacted. */
export interface NewSkillVersion {
  description: string;
  document: SkillDocument;
  /** Markdown. */
  body: string;
  /** Whether it reads like an instruction to whoever finds it. */
  flagged: boolean;
  /** What it was learned from. */
  events: readonly string[];
  cards: readonly string[];
  run: string | null;
  model: string | null;
  promptVersion: string | null;
  writer: { kind: string; id: string };
}

export interface SkillHead {
  card_id: string;
  name: string;
  status: SkillStatus;
  current_version: number | null;
  latest_version: number;
}

export interface SkillVersionRow {
  version: number;
  status: SkillVersionStatus;
  description: string;
  document: SkillDocument;
  body: string;
  flagged: boolean;
  events: string[];
  cards: string[];
  run_id: string | null;
  model: string | null;
  prompt_version: string | null;
  writer_kind: 'person' | 'agent' | 'runtime' | 'system';
  writer_id: string;
  created_at: string;
  test_result: SkillTestResult | null;
}

const VERSION = `v.version, v.status, v.description, v.document, v.body, v.flagged, v.events, v.cards, v.run_id,
  v.model, v.prompt_version, v.writer_kind, v.writer_id, v.created_at, v.test_result`;

/** Holds a skill until the transaction ends: of two writers the second one sees what the first one did. */
export async function holdSkill(tx: Tx, cardId: string): Promise<SkillHead | null> {
  const [row] = await tx.query<SkillHead>(
    `SELECT card_id, name, status, current_version, latest_version
       FROM skills WHERE workspace_id = $1 AND card_id = $2 FOR UPDATE`,
    [tx.workspace, cardId],
  );
  return row ?? null;
}

/** Whether the card is that of a skill; one that only tells of one by its kind is not. */
export async function isSkill(tx: Tx, cardId: string): Promise<boolean> {
  const found = await tx.query('SELECT 1 FROM skills WHERE workspace_id = $1 AND card_id = $2', [
    tx.workspace,
    cardId,
  ]);
  return found.length > 0;
}

/**
 * Adds a version as a draft. The caller holds the skill.
 * @returns its number
 */
export async function addVersion(
  tx: Tx,
  head: Pick<SkillHead, 'card_id' | 'latest_version'>,
  version: NewSkillVersion,
  now: Date,
): Promise<number> {
  const number = head.latest_version + 1;
  await tx.query('UPDATE skills SET latest_version = $3 WHERE workspace_id = $1 AND card_id = $2', [
    tx.workspace,
    head.card_id,
    number,
  ]);
  await insertVersion(tx, head.card_id, number, version, now);
  return number;
}

export async function insertVersion(
  tx: Tx,
  cardId: string,
  number: number,
  version: NewSkillVersion,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO skill_versions (workspace_id, card_id, version, status, description, document, body, flagged,
                                 events, cards, run_id, model, prompt_version, writer_kind, writer_id, created_at)
     VALUES ($1, $2, $3, 'draft', $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      tx.workspace,
      cardId,
      number,
      version.description,
      JSON.stringify(version.document),
      version.body,
      version.flagged,
      version.events,
      version.cards,
      version.run,
      version.model,
      version.promptVersion,
      version.writer.kind,
      version.writer.id,
      now,
    ],
  );
}

/** The caller has made sure that the reader sees the skill's card. */
export async function readVersion(
  tx: Tx,
  cardId: string,
  version: number,
): Promise<SkillVersionRow | null> {
  const [row] = await tx.query<SkillVersionRow>(
    `SELECT ${VERSION} FROM skill_versions v
      WHERE v.workspace_id = $1 AND v.card_id = $2 AND v.version = $3`,
    [tx.workspace, cardId, version],
  );
  return row ?? null;
}

/** The newest first. */
export async function listVersions(
  tx: Tx,
  cardId: string,
  page: { before: number | null; limit: number },
): Promise<SkillVersionRow[]> {
  return await tx.query<SkillVersionRow>(
    `SELECT ${VERSION} FROM skill_versions v
      WHERE v.workspace_id = $1 AND v.card_id = $2 AND ($3::int IS NULL OR v.version < $3)
      ORDER BY v.version DESC
      LIMIT $4`,
    [tx.workspace, cardId, page.before, page.limit],
  );
}

/** The last version that was in use before the one that is; null where there was none. */
export async function versionBefore(
  tx: Tx,
  cardId: string,
  current: number,
): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(
    `SELECT version FROM skill_versions
      WHERE workspace_id = $1 AND card_id = $2 AND status = 'retired' AND version < $3
      ORDER BY version DESC LIMIT 1`,
    [tx.workspace, cardId, current],
  );
  return row?.version ?? null;
}

/** Puts a version in use, and what was in use out of it. A deprecated skill is advised again. */
export async function setCurrent(tx: Tx, cardId: string, version: number): Promise<void> {
  await tx.query(
    `UPDATE skill_versions SET status = 'retired'
      WHERE workspace_id = $1 AND card_id = $2 AND status = 'current' AND version <> $3`,
    [tx.workspace, cardId, version],
  );
  await tx.query(
    `UPDATE skill_versions SET status = 'current' WHERE workspace_id = $1 AND card_id = $2 AND version = $3`,
    [tx.workspace, cardId, version],
  );
  await tx.query(
    `UPDATE skills SET status = 'current', current_version = $3, deprecated_at = NULL, replaced_by = NULL
      WHERE workspace_id = $1 AND card_id = $2`,
    [tx.workspace, cardId, version],
  );
}

/** Of a skill that has a version in use; again, it changes what replaces it. */
export async function deprecateSkill(
  tx: Tx,
  cardId: string,
  replacedBy: string | null,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE skills SET status = 'deprecated', deprecated_at = COALESCE(deprecated_at, $3), replaced_by = $4
      WHERE workspace_id = $1 AND card_id = $2`,
    [tx.workspace, cardId, now, replacedBy],
  );
}
