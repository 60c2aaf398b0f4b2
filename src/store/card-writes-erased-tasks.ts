import { learnWorkflowId } from '../contracts/workflow-ids';
import type { Tx } from './database';
import { againCards, nextItems, setItems } from './erasure-items';
import { type ErasureWalk, NOTHING_LEFT, type WalkBatch } from './erasure-walk';
import { idPart } from './ids';

const TASKS = 200;
/** Characters of the hash that stands in place of a label: nobody meets another by chance. */
const HASH = 16;
/** How such a label begins. */
export const RELABELLED_TASK = 'erased-';

/**
 * Where the id of an event that goes is the label of a task that others worked on too, a keyed hash takes its place:
 * their work stays together, and the id is gone. Cards that say it are written again from their own events.
 */
export async function relabelTasks(tx: Tx, walk: ErasureWalk): Promise<WalkBatch> {
  const ids = await eventsAsTasks(tx, walk.erasureId);
  for (const id of ids) await relabel(tx, walk, id);
  return { touched: ids.length, purged: {}, more: false };
}

/** Tasks of which nothing is left lose their name in the records of what was learned from them. */
export async function eraseTasks(tx: Tx, { erasureId }: ErasureWalk): Promise<WalkBatch> {
  const due = await nextItems(tx, erasureId, { kind: 'task', states: ['root'], limit: TASKS });
  if (due.length === 0) return NOTHING_LEFT;
  await forgetTasks(tx, await withoutWork(tx, due));
  await setItems(tx, erasureId, 'task', due, 'done');
  return { touched: due.length, purged: {}, more: due.length === TASKS };
}

/** Ids of events that go and that others name as their task. */
async function eventsAsTasks(tx: Tx, erasureId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT DISTINCT i.id
       FROM (SELECT e.payload ->> 'task' AS task, e.event_id FROM events e WHERE e.workspace_id = $1
             UNION
             SELECT c.task, c.event_id FROM cards c WHERE c.workspace_id = $1) t
       JOIN erasure_items i ON i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = 'event' AND i.id = t.task
                           AND i.state IN ('root', 'done')
      WHERE NOT EXISTS (SELECT 1 FROM erasure_items o
                         WHERE o.workspace_id = $1 AND o.erasure_id = $2 AND o.kind = 'event' AND o.id = t.event_id
                           AND o.state IN ('root', 'done'))
      ORDER BY i.id`,
    [tx.workspace, erasureId],
  );
  return rows.map(({ id }) => id);
}

async function relabel(tx: Tx, walk: ErasureWalk, id: string): Promise<void> {
  const label = `${RELABELLED_TASK}${walk.hash('event', id).toString('hex').slice(0, HASH)}`;
  await tx.query(`SELECT set_config('cairn.redacting', 'on', true)`);
  for (const statement of RELABELLED) await tx.query(statement, [tx.workspace, id, label]);
  const saying = await tx.query<{ id: string }>(
    `SELECT c.id FROM cards c
      WHERE c.workspace_id = $1 AND c.task = $3 AND c.event_id IS NOT NULL
        AND strpos(jsonb_build_array(c.summary, c.topic, c.keywords)::text, $2) > 0`,
    [tx.workspace, id, label],
  );
  await againCards(
    tx,
    walk.erasureId,
    saying.map((card) => card.id),
  );
  await tx.query(
    `UPDATE outbox SET workflow_id = $3 WHERE workspace_id = $1 AND action = 'start_learn' AND workflow_id = $2`,
    [tx.workspace, workflowOf(tx, id), workflowOf(tx, label)],
  );
  await forgetTasks(tx, [id]);
}

const RELABELLED = [
  `UPDATE events SET payload = jsonb_set(payload, '{task}', to_jsonb($3::text))
    WHERE workspace_id = $1 AND payload ->> 'task' = $2`,
  'UPDATE cards SET task = $3 WHERE workspace_id = $1 AND task = $2',
  `UPDATE card_versions SET snapshot = jsonb_set(snapshot, '{task}', to_jsonb($3::text))
    WHERE workspace_id = $1 AND snapshot ->> 'task' = $2`,
];

async function withoutWork(tx: Tx, tasks: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ task: string }>(
    `SELECT t.task FROM unnest($2::text[]) AS t (task)
     EXCEPT
     SELECT e.payload ->> 'task' FROM events e WHERE e.workspace_id = $1 AND e.payload ->> 'task' = ANY ($2)
     EXCEPT
     SELECT c.task FROM cards c WHERE c.workspace_id = $1 AND c.task = ANY ($2)`,
    [tx.workspace, tasks],
  );
  return rows.map(({ task }) => task);
}

/** A workflow of learning has its task in its id. */
async function forgetTasks(tx: Tx, tasks: readonly string[]): Promise<void> {
  const values = [tx.workspace, tasks.map((task) => workflowOf(tx, task))];
  await tx.query(
    `UPDATE runs SET workflow_id = 'erased/' || id
      WHERE workspace_id = $1 AND type = 'learning' AND workflow_id = ANY ($2)`,
    values,
  );
  await tx.query(
    'UPDATE cards SET workflow_id = NULL WHERE workspace_id = $1 AND workflow_id = ANY ($2)',
    values,
  );
  await tx.query(
    `UPDATE card_versions SET snapshot = jsonb_set(snapshot, '{workflow_id}', 'null')
      WHERE workspace_id = $1 AND snapshot ->> 'workflow_id' = ANY ($2)`,
    values,
  );
}

function workflowOf({ workspace }: Tx, task: string): string {
  return learnWorkflowId(workspace, idPart(task));
}
