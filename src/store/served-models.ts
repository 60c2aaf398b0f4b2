import { REEMBED_AGAIN_AFTER_MS } from '../domain/upkeep';
import type { Tx } from './database';
import { countCardsToReembed, hasOtherVectors, otherModelOf } from './filing-reembedded';

/** Which models' vectors a workspace is searched by; the states stand in `0011-reembedding.sql`. */
export interface ServedModels {
  /** Null where there is no vector yet. */
  serving: string | null;
  /** The model under way to replace it; null while none is. */
  shadow: string | null;
}

/** Both columns for a statement that has `workspaces` as `w`, and the workspace as $1. */
export const SERVED_MODELS = `
  COALESCE(w.embedding_model, (SELECT e.model FROM card_embeddings e
                                WHERE e.workspace_id = $1 ORDER BY e.model LIMIT 1)) AS serving,
  w.embedding_shadow AS shadow`;

export async function servedModels(tx: Tx): Promise<ServedModels> {
  return await tx.one<ServedModels>(
    `SELECT ${SERVED_MODELS} FROM workspaces w WHERE w.workspace_id = $1`,
    [tx.workspace],
  );
}

interface Served {
  model: string | null;
  shadow: string | null;
  since: string | null;
}

/**
 * Who asks for a model. A `start` is somebody's decision and takes the place of whatever is under way. The
 * `workflow` itself goes on only where no other has taken its place. A `sweep` makes good what was missed, and
 * leaves alone what another embedder's process has begun or cut over to a moment ago.
 */
export type ReembedClaim = 'start' | 'workflow' | 'sweep';

export interface Reembedding {
  state: 'shadowing' | 'clearing' | 'served' | 'superseded';
  from: string | null;
  since: string | null;
  /** Cards without a vector of the model. */
  left: number;
}

/**
 * Makes the model the one that is served, or, where cards lack its vectors, the one under way. Doing it
 * again changes nothing.
 */
export async function claimModel(
  tx: Tx,
  model: string,
  claim: ReembedClaim,
  now: Date,
): Promise<Reembedding> {
  // Nearly always nothing is to be done, and then nothing is locked.
  if (await isSettled(tx, model)) return { state: 'served', from: null, since: null, left: 0 };
  const before = await lockServed(tx);
  if (isAnothers(before, model, claim, now)) {
    return { state: 'superseded', from: null, since: null, left: 0 };
  }
  const left = await countCardsToReembed(tx, model, now);
  if (before.shadow === model) {
    return { state: 'shadowing', from: before.model, since: before.since, left };
  }
  if (left === 0) {
    if (before.model !== model || before.shadow !== null) {
      await writeServed(tx, { model, shadow: null }, now);
    }
    const state = (await hasOtherVectors(tx, model)) ? 'clearing' : 'served';
    return { state, from: null, since: null, left };
  }
  // Back to the model that is served means that the other one is to be replaced.
  const from =
    before.model === null || before.model === model
      ? (before.shadow ?? (await otherModelOf(tx, model)))
      : before.model;
  await writeServed(tx, { model: from, shadow: model }, now);
  return { state: 'shadowing', from, since: now.toISOString(), left };
}

async function isSettled(tx: Tx, model: string): Promise<boolean> {
  const { model: served, shadow } = await readServed(tx);
  return served === model && shadow === null && !(await hasOtherVectors(tx, model));
}

function isAnothers(
  { model: served, shadow, since }: Served,
  model: string,
  claim: ReembedClaim,
  now: Date,
): boolean {
  if (claim === 'start') return false;
  if (shadow !== null) return shadow !== model;
  if (claim === 'workflow' || served === null || served === model || since === null) return false;
  return now.getTime() - Date.parse(since) < REEMBED_AGAIN_AFTER_MS;
}

/**
 * Switches to the model where no card lacks its vector, in the caller's transaction. What is committed
 * later than this looks, by a process with another embedder, the next sweep finds.
 * @returns `cut` also where an earlier try has done it; `missing` where cards came meanwhile
 */
export async function cutOver(
  tx: Tx,
  model: string,
  now: Date,
): Promise<'cut' | 'missing' | 'superseded'> {
  const { model: served, shadow } = await lockServed(tx);
  if (served === model && shadow === null) return 'cut';
  if (shadow !== model) return 'superseded';
  if ((await countCardsToReembed(tx, model, now)) > 0) return 'missing';
  await writeServed(tx, { model, shadow: null }, now);
  return 'cut';
}

/** Whether the model is the one under way. */
export async function isShadow(tx: Tx, model: string): Promise<boolean> {
  return (await readServed(tx)).shadow === model;
}

/** Whether the model is served and no other is under way. */
export async function isServed(tx: Tx, model: string): Promise<boolean> {
  const { model: served, shadow } = await readServed(tx);
  return served === model && shadow === null;
}

const SERVED = `SELECT embedding_model AS model, embedding_shadow AS shadow, embedding_since AS since
                  FROM workspaces WHERE workspace_id = $1`;

async function readServed(tx: Tx): Promise<Served> {
  return await tx.one<Served>(SERVED, [tx.workspace]);
}

/** Filing goes on meanwhile: it only refers to the workspace. */
async function lockServed(tx: Tx): Promise<Served> {
  return await tx.one<Served>(`${SERVED} FOR NO KEY UPDATE`, [tx.workspace]);
}

async function writeServed(
  tx: Tx,
  served: { model: string | null; shadow: string | null },
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE workspaces SET embedding_model = $2, embedding_shadow = $3, embedding_since = $4
      WHERE workspace_id = $1`,
    [tx.workspace, served.model, served.shadow, now],
  );
}
