import { RECALLED_STATUSES } from '../contracts/names';
import type { LinkPolicy } from '../contracts/policy';
import { linkAll } from '../domain/link';
import { type CardVector, insertCard, type NewCard } from './card-writes';
import { openContradictions } from './card-writes-contradicted';
import { type Tx, violatedIndex } from './database';
import type { NewEdge, WrittenEdge } from './edge-writes';
import {
  asLinkCandidate,
  asLinkCard,
  type CandidateRow,
  findCandidates,
  findSummedUp,
} from './filing-candidates';
import { supersede } from './superseding';

/** Of an edge's reason; an error in one may be long. */
const REASON_LENGTH = 500;

export interface LinkedCard {
  card: NewCard;
  vector: CardVector | null;
  policy: LinkPolicy;
  /** Edges that are known before anything is compared; what it `supersedes` retires. */
  lineage: readonly NewEdge[];
  /** Whether it may take the place of what stands under its key; a note is versioned instead. */
  mayReplace: boolean;
  now: Date;
}

export interface Linked {
  edges: WrittenEdge[];
  /** The cards that it was compared with. */
  compared: string[];
}

/**
 * Writes a card among those it is related to: compares, retires the earlier value of its key, inserts
 * card and edges. In the caller's transaction.
 * @throws what `lostKeyRace` knows, where another writer was first.
 */
export async function insertLinkedCard(tx: Tx, write: LinkedCard): Promise<Linked> {
  const { card, vector } = write;
  const candidates = await findCandidates(tx, {
    id: card.id,
    sign: card.sign,
    service: card.hints.service,
    operation: card.hints.operation,
    workflow: card.hints.workflow,
    step: card.hints.step,
    key: card.key,
    subject: card.subject,
    scope: card.scope,
    vector: vector?.values ?? null,
    embedder: vector?.model ?? '',
  });
  const current = await currentOfKey(tx, card);
  if (current !== null && !write.mayReplace) throw new KeyRaceLost();
  const all = [...candidates.filter(({ id }) => id !== current?.id), ...(current ? [current] : [])];
  const own = asLinkCard(card);
  const replaced = write.lineage.filter(({ type }) => type === 'supersedes');
  // What it takes the place of is no other side of anything.
  const compared = all.filter(({ id }) => !replaced.some(({ to }) => to === id));
  const planned = linkAll(own, compared.map(asLinkCandidate), write.policy);
  const summedUp = card.sign === 'failed' ? await findSummedUp(tx, card.hints) : [];
  const contradicted = linkAll(
    own,
    [...compared, ...summedUp].map(asLinkCandidate),
    write.policy,
  ).filter(({ type, to }) => type === 'conflicts' && summedUp.some(({ id }) => id === to));
  const startOf = new Map(all.map(({ id, valid_from }) => [id, valid_from]));
  const predecessors = await supersede(tx, card, [...planned, ...replaced], startOf, write.now);
  const edges = [...planned, ...contradicted].map((edge) => ({
    ...edge,
    reason: edge.reason.slice(0, REASON_LENGTH),
  }));
  const written = await insertCard(tx, { ...card, ...predecessors }, vector, [
    ...write.lineage,
    ...edges,
  ]);
  await openContradictions(tx, written, write.now);
  return { edges: written, compared: all.map(({ id }) => id) };
}

/**
 * The card that stands under this key in this scope now. It is asked for by itself, since a key that
 * many scopes use would fill up the candidates.
 */
async function currentOfKey(tx: Tx, card: NewCard): Promise<CandidateRow | null> {
  if (card.key === null) return null;
  const [row] = await tx.query<CandidateRow>(
    `SELECT c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow, c.step, c.task_type,
            c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields, c.valid_from,
            c.scope_type, c.scope_id, NULL::float8 AS similarity
       FROM cards c
      WHERE c.workspace_id = $1 AND c.scope_type = $2 AND c.scope_id = $3 AND c.key = $4
        AND COALESCE(c.subject, '') = COALESCE($5, '') AND c.id <> $6 AND c.status = ANY ($7)`,
    [
      tx.workspace,
      card.scope.type,
      card.scope.id,
      card.key,
      card.subject,
      card.id,
      RECALLED_STATUSES,
    ],
  );
  return row ?? null;
}

class KeyRaceLost extends Error {}

/** What one card of a scope has at a time: a key, or the name of its skill. */
const TAKEN = ['cards_one_current_per_key', 'skills_one_a_name'];

/** Two writers put a value under one key at the same moment; the later one may simply try again. */
export function lostKeyRace(error: unknown): boolean {
  return error instanceof KeyRaceLost || TAKEN.includes(violatedIndex(error) ?? '');
}
