import type { Card } from '../contracts/card';
import type { CardKind, PrincipalKind } from '../contracts/names';
import { type CardRow, cardOf } from './card-row';
import type { Tx } from './database';

/** What a version remembers of a card: everything but how often it was used. */
export type CardThen = Omit<Card, 'use_count' | 'last_used_at'>;

export interface CardVersion {
  version: number;
  at: string;
  actor: { kind: PrincipalKind | 'system'; id: string };
  /** `created`, `edited`, `deleted` …: what made this version. */
  action: string;
  /** Fields of the card that differ from the version before; all of them in the first. */
  changed: string[];
  /** Null in the first version, and where the reader may not see what was. */
  before: CardThen | null;
  after: CardThen;
}

interface VersionRow {
  version: number;
  at: string;
  actor_kind: PrincipalKind | 'system';
  actor_id: string;
  action: string;
  snapshot: Partial<CardRow>;
  earlier: Partial<CardRow> | null;
}

/**
 * The versions of a card, the first one first. The caller has made sure that the reader sees the card.
 * @param only the one version to show; null shows all of them.
 * @param page.about shows only versions that were about this subject, as a member sees a card; null or absent: all
 */
export async function readHistory(
  tx: Tx,
  cardId: string,
  only: number | null,
  page: { after: number; limit: number; about?: string | null },
): Promise<CardVersion[]> {
  const { after, limit, about = null } = page;
  const rows = await tx.query<VersionRow>(
    `SELECT h.*
       FROM (SELECT v.version, v.at, v.actor_kind, v.actor_id, v.action, v.snapshot,
                    lag(v.snapshot) OVER (ORDER BY v.version) AS earlier
               FROM card_versions v
              WHERE v.workspace_id = $1 AND v.card_id = $2
                AND ($6::text IS NULL OR v.snapshot ->> 'subject' = $6)) h
      WHERE ($3::int IS NULL OR h.version = $3) AND h.version > $4
      ORDER BY h.version
      LIMIT $5`,
    [tx.workspace, cardId, only, after, limit, about],
  );
  return rows.map((row) => versionOf(cardId, only === null ? row : { ...row, earlier: null }));
}

/** How many versions of a card were about a subject. */
export async function countAbout(tx: Tx, cardId: string, about: string): Promise<number> {
  const { n } = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM card_versions v
      WHERE v.workspace_id = $1 AND v.card_id = $2 AND v.snapshot ->> 'subject' = $3`,
    [tx.workspace, cardId, about],
  );
  return n;
}

function versionOf(cardId: string, row: VersionRow): CardVersion {
  const after = cardThen(cardId, row.snapshot);
  const before = row.earlier === null ? null : cardThen(cardId, row.earlier);
  return {
    version: row.version,
    at: row.at,
    actor: { kind: row.actor_kind, id: row.actor_id },
    action: row.action,
    changed: differing(before, after),
    before,
    after,
  };
}

function cardThen(id: string, snapshot: Partial<CardRow>): CardThen {
  const row = { ...snapshot, id } as CardRow;
  const { use_count: _count, last_used_at: _at, ...card } = cardOf(row);
  return {
    ...card,
    valid_from: utc(card.valid_from),
    valid_to: card.valid_to === null ? null : utc(card.valid_to),
    recorded_at: utc(card.recorded_at),
    expires_at: card.expires_at === null ? null : utc(card.expires_at),
  };
}

function differing(before: CardThen | null, after: CardThen): string[] {
  const fields = Object.keys(after) as (keyof CardThen)[];
  return fields.filter(
    (field) =>
      field !== 'version' &&
      (before === null || JSON.stringify(before[field]) !== JSON.stringify(after[field])),
  );
}

/** JSON carries times with an offset; every surface shows them in UTC. */
function utc(time: string): string {
  return new Date(time).toISOString();
}

export interface LatestVersion {
  version: number;
  status: Card['status'];
  /** Since when it has that status. */
  at: string;
  scope: { type: string; id: string };
  subject: string | null;
  kind: CardKind;
  /** What made this version; `purged` where nothing is left to bring back. */
  action: string;
  expires_at: string | null;
  /** The last status the card had while it was in use. */
  before_retiring: Card['status'] | null;
}

/** What became of a card last, deleted ones included: for people who bring it back. */
export async function readLatestVersion(tx: Tx, cardId: string): Promise<LatestVersion | null> {
  const [row] = await tx.query<LatestVersion>(
    `SELECT l.version, l.snapshot ->> 'status' AS status,
            (SELECT min(v.at) FROM card_versions v
              WHERE v.workspace_id = $1 AND v.card_id = $2
                AND v.version > COALESCE((SELECT max(o.version) FROM card_versions o
                                           WHERE o.workspace_id = $1 AND o.card_id = $2
                                             AND o.snapshot ->> 'status' <> l.snapshot ->> 'status'), 0)) AS at,
            jsonb_build_object('type', l.snapshot ->> 'scope_type', 'id', l.snapshot ->> 'scope_id') AS scope,
            l.snapshot ->> 'subject' AS subject, l.snapshot ->> 'kind' AS kind, l.action,
            l.snapshot ->> 'expires_at' AS expires_at,
            (SELECT v.snapshot ->> 'status' FROM card_versions v
              WHERE v.workspace_id = $1 AND v.card_id = $2
                AND v.snapshot ->> 'status' NOT IN ('deleted', 'archived')
              ORDER BY v.version DESC LIMIT 1) AS before_retiring
       FROM card_versions l
      WHERE l.workspace_id = $1 AND l.card_id = $2
      ORDER BY l.version DESC
      LIMIT 1`,
    [tx.workspace, cardId],
  );
  return row ?? null;
}
