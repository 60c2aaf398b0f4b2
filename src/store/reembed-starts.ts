import { reembedWorkflowId } from '../contracts/workflow-ids';
import type { Database, Tx } from './database';
import { workspacesAfter } from './filing-left-behind';
import { idPart } from './ids';
import { claimModel, type Reembedding } from './served-models';

/** A workspace with nothing to do costs three indexed reads. */
const PAGE = 100;

/**
 * Claims the workspace for the model and starts the workflow where there is something to do. A start while
 * it runs is this same workflow.
 */
export async function startReembedding(
  tx: Tx,
  model: string,
  claim: 'start' | 'sweep',
  now: Date,
): Promise<Reembedding> {
  const claimed = await claimModel(tx, model, claim, now);
  if (claimed.state === 'shadowing' || claimed.state === 'clearing') {
    await tx.query(
      `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
       SELECT $1, 'start_reembed', $2, jsonb_build_object('workspace', $1::text, 'model', $3::text), $4, $4
        WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE workspace_id = $1 AND workflow_id = $2)`,
      [tx.workspace, reembedWorkflowId(tx.workspace, idPart(model)), model, now],
    );
  }
  return claimed;
}

/** What a start with an embedder found to be of another. */
export interface Noticed {
  workspaces: number;
  /** Cards that get another vector. */
  cards: number;
  /** The models that they are found by meanwhile. */
  from: string[];
}

/** Compares the vectors of all workspaces with the embedder that a process has, and starts what differs. */
export async function noticeEmbedder(
  database: Database,
  model: string,
  now: Date,
): Promise<Noticed> {
  const noticed = { workspaces: 0, cards: 0 };
  const from = new Set<string>();
  for (let after = ''; ; ) {
    const ids = await database.acrossWorkspaces((tx) => workspacesAfter(tx, after, PAGE));
    for (const id of ids) {
      const claimed = await database.inWorkspace(id, (tx) =>
        startReembedding(tx, model, 'start', now),
      );
      if (claimed.state !== 'shadowing') continue;
      noticed.workspaces += 1;
      noticed.cards += claimed.left;
      if (claimed.from !== null) from.add(claimed.from);
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < PAGE) return { ...noticed, from: [...from].sort() };
    after = last;
  }
}

/**
 * The same as a part of a start, which it does not hold up: what fails here the next sweep makes good.
 * @param say told in one line what was begun, or that it could not be looked
 */
export async function announceEmbedder(
  database: Database,
  embedder: { id: string; makesVectors: boolean },
  now: Date,
  say: (line: string) => void,
): Promise<void> {
  if (!embedder.makesVectors) return;
  try {
    const noticed = await noticeEmbedder(database, embedder.id, now);
    if (noticed.workspaces > 0) say(lineOf(noticed, embedder.id));
  } catch {
    say('whether all vectors are of this embedder could not be looked up; a sweep will');
  }
}

function lineOf({ workspaces, cards, from }: Noticed, model: string): string {
  const where = workspaces === 1 ? 'one workspace' : `${workspaces} workspaces`;
  const whose = from.length === 0 ? '' : ` from ${from.join(', ')}`;
  return `re-embedding ${cards} cards of ${where}${whose} to ${model}: both are searched until it is done`;
}
