import { type CardKind, type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import type { NotUndone, RunChangeLine } from '../contracts/run';
import { lexicalTerms, termCount } from '../domain/terms';
import { queueLateVectors, reindexCard } from './card-edits';
import { reopenContradictions } from './card-writes-contradicted';
import { returnToIndex } from './card-writes-evicted';
import { withTimeAnew } from './card-writes-expired';
import { giveBack, isNoteKept, isStillSuperseded } from './card-writes-given-back';
import { lostKeyRace } from './card-writes-linked';
import type { Tx } from './database';
import { type EmbeddedRow, textToEmbed } from './embedded-text';
import { entityRows } from './entity-writes';
import { skillVersionBefore } from './skill-undoing';

/** Who takes back what a run did, and when. */
export interface Undoing {
  actor: { kind: string; id: string };
  at: Date;
}

/** How a card is before a change of it is taken back; its row is held. */
interface Held extends EmbeddedRow {
  version: number;
  status: CardStatus;
  status_before: CardStatus | null;
  superseded_by: string | null;
  purged_at: string | null;
  evicted_at: string | null;
  /** What made the version that it has. */
  action: string | null;
  /** Whether a later change of the same run was taken back before this one. */
  follows: boolean;
  before: (EmbeddedRow & { status: CardStatus; kind: CardKind; expires_at: string | null }) | null;
}

/** What the history calls it. */
const UNDONE = 'undone';

/**
 * Takes back one change of one card: what was made is archived, and what was changed or retired is as it was, by
 * the snapshot of the version before. Only where nothing else has changed the card since: compare-and-set. One that
 * retired and is still superseded by what the run made, whatever else became of it, is given back as it is now; not
 * where that stays in use. Who may see it is not touched: a share that was revoked meanwhile stays revoked.
 * @returns the card's version from now on, or why it stays as it is
 */
export async function undoCard(
  tx: Tx,
  line: RunChangeLine,
  undoing: Undoing,
): Promise<{ from: number; to: number } | NotUndone> {
  const card = await holdCard(tx, line);
  if (card === undefined || card.purged_at !== null) return 'gone';
  const isOurs = card.version === line.version_after || (card.follows && card.action === UNDONE);
  const isRetired = line.change === 'retired';
  const isStill = isRetired && isStillSuperseded(card, line.related[0]);
  if (!isOurs && !isStill) {
    return ['deleted', 'quarantined'].includes(card.status) ? 'gone' : 'moved';
  }
  if (isRetired && (await isNoteKept(tx, line.run_id, line.related[0]))) return 'note_kept';
  const to =
    line.change === 'created'
      ? await takeAway(tx, line, card, undoing)
      : isOurs
        ? await putBack(tx, line, card, undoing)
        : await putInUse(tx, line, card, undoing);
  return typeof to === 'number' ? { from: card.version, to } : to;
}

async function holdCard(tx: Tx, line: RunChangeLine): Promise<Held | undefined> {
  const [card] = await tx.query<Held>(
    `SELECT c.version, c.status, c.status_before, c.superseded_by, c.purged_at, c.evicted_at, c.summary, c.key, c.subject, c.topic, c.service,
            c.operation, c.task_type, c.workflow, c.step, c.keywords, c.agent_id, a.team_id,
            b.snapshot AS before, v.action,
            EXISTS (SELECT 1 FROM run_changes n
                     WHERE n.workspace_id = $1 AND n.card_id = c.id AND n.run_id = $3 AND n.version_before = $5
                       AND n.undone_at IS NOT NULL) AS follows
       FROM cards c
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
       LEFT JOIN card_versions v ON v.workspace_id = c.workspace_id AND v.card_id = c.id AND v.version = c.version
       LEFT JOIN card_versions b ON b.workspace_id = c.workspace_id AND b.card_id = c.id AND b.version = $4
      WHERE c.workspace_id = $1 AND c.id = $2
        FOR NO KEY UPDATE OF c`,
    [tx.workspace, line.card_id, line.run_id, line.version_before, line.version_after],
  );
  return card;
}

async function takeAway(
  tx: Tx,
  line: RunChangeLine,
  card: Held,
  undoing: Undoing,
): Promise<number> {
  const snapshot = { status: 'archived' };
  return await write(tx, line, card, {
    ...undoing,
    snapshot,
    statusBefore: card.status,
    text: null,
  });
}

async function putBack(
  tx: Tx,
  line: RunChangeLine,
  card: Held,
  undoing: Undoing,
): Promise<number | NotUndone> {
  if (card.before === null) return 'gone';
  // What was archived as its time was over would be seen by nobody with the same time.
  const isOver = line.reason === 'expired';
  const before = isOver ? await withTimeAnew(tx, card.before, undoing.at) : card.before;
  const isInUse = RECALLED_STATUSES.some((status) => status === before.status);
  const id = line.card_id ?? '';
  const then: EmbeddedRow = { ...before, agent_id: card.agent_id, team_id: card.team_id };
  const isFound = card.evicted_at === null && textToEmbed(then) === textToEmbed(card);
  const text = isFound ? null : textToEmbed(then);
  const terms = text === null ? null : lexicalTerms(text);
  const version = await unlessNameTaken(tx, () =>
    write(tx, line, card, {
      ...undoing,
      snapshot: before,
      statusBefore: null,
      text: terms === null ? null : termCount(terms),
    }),
  );
  if (version === null) return 'key_taken';
  if (terms !== null) {
    const entities = entityRows({ ...then, hints: then, agent: then.agent_id, team: then.team_id });
    await reindexCard(tx, { id, version, at: undoing.at }, { terms, entities }, null);
    await queueLateVectors(tx, undoing.at);
  }
  await skillVersionBefore(tx, id, line.run_id);
  if (isInUse) await reopenContradictions(tx, id, undoing.at);
  return version;
}

/** The card as it is now, with the status that it had: in use at once, or once it is restored or released. */
async function putInUse(
  tx: Tx,
  line: RunChangeLine,
  card: Held,
  { actor, at }: Undoing,
): Promise<number | NotUndone> {
  if (card.before === null) return 'gone';
  const id = line.card_id ?? '';
  const giving = { before: card.before.status, action: UNDONE, actor, at };
  const version = await unlessNameTaken(tx, () => giveBack(tx, id, card, giving));
  if (version === null) return 'key_taken';
  if (card.status === 'superseded') {
    await returnToIndex(tx, { id, version, at });
    await reopenContradictions(tx, id, at);
  }
  return version;
}

/** Another card, or another skill, may stand under its name by now; the transaction goes on all the same. */
async function unlessNameTaken<T>(tx: Tx, work: () => Promise<T>): Promise<T | null> {
  await tx.query('SAVEPOINT one_card');
  try {
    const done = await work();
    await tx.query('RELEASE SAVEPOINT one_card');
    return done;
  } catch (error) {
    if (!lostKeyRace(error)) throw error;
    await tx.query('ROLLBACK TO SAVEPOINT one_card');
    return null;
  }
}

interface Writing extends Undoing {
  /** Of an earlier version, or the columns alone that change. */
  snapshot: object;
  statusBefore: CardStatus | null;
  /** Length of the text that is indexed anew; null where it stays as it is, with its vector. */
  text: number | null;
}

/** The row is held: nobody else changes it between the look and the write. */
async function write(tx: Tx, line: RunChangeLine, card: Held, writing: Writing): Promise<number> {
  const { snapshot, statusBefore, text, actor, at } = writing;
  const { version } = await tx.one<{ version: number }>(
    `WITH restored AS (
       UPDATE cards c
          SET (kind, tier, sign, status, summary, service, operation, task_type, workflow, step, keywords,
               error_signature, error_family, topic, project, scope_type, scope_id, promoted_from, visibility,
               importance, confidence, trust, flags, metadata, valid_from, valid_to, validated_at, expires_at,
               model, prompt_version, distilled_by, superseded_by)
              = (SELECT n.kind, n.tier, n.sign, n.status, n.summary, n.service, n.operation, n.task_type,
                        n.workflow, n.step, n.keywords, n.error_signature, n.error_family, n.topic, n.project,
                        n.scope_type, n.scope_id, n.promoted_from, n.visibility, n.importance, n.confidence,
                        n.trust, n.flags, n.metadata, n.valid_from, n.valid_to, n.validated_at, n.expires_at,
                        n.model, n.prompt_version, n.distilled_by, n.superseded_by
                   FROM jsonb_populate_record(c, $4::jsonb) n),
              status_before = $5, version = c.version + 1, edited_at = $6,
              index_length = COALESCE($7::int, c.index_length),
              embedder = CASE WHEN $7::int IS NULL THEN c.embedder END
        WHERE c.workspace_id = $1 AND c.id = $2 AND c.version = $3
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT r.workspace_id, r.id, r.version, $6, $8, $9, '${UNDONE}', card_snapshot(to_jsonb(r)) FROM restored r
     RETURNING version`,
    [
      tx.workspace,
      line.card_id,
      card.version,
      JSON.stringify(snapshot),
      statusBefore,
      at,
      text,
      actor.kind,
      actor.id,
    ],
  );
  return version;
}
