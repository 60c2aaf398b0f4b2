import type { SkillDocument } from '../contracts/skill';
import type { Episode } from '../domain/consolidation/episode';
import { skillOfTask } from '../domain/learning/skill-of-task';
import type { TaskStep } from '../domain/learning/task-step';
import { epochMs } from '../domain/read-time';
import { markdownOf } from '../domain/skills/markdown-out';
import { skillSummary } from '../domain/skills/summary';
import type { AgainCard } from './card-writes-erased-again';
import type { Tx } from './database';
import { ERASER, type ErasureWalk } from './erasure-walk';
import { addVersion, holdSkill, readVersion } from './skills';

/**
 * A skill without what was learned from cards that go: the newest version that rests on none of them is in use again;
 * where there is none, one of the calls of the cards that are left, without any of the words of before. Versions and
 * tests that rest on what goes are deleted, whatever they were.
 * @returns the card's summary
 */
export async function rewriteSkill(
  tx: Tx,
  walk: ErasureWalk,
  card: AgainCard,
  sources: readonly Episode[],
): Promise<string> {
  const head = await holdSkill(tx, card.id);
  if (head === null) throw new Error('a skill whose card is held is gone');
  const versions = await tx.query<{ version: number; clean: boolean; used: boolean }>(
    `SELECT v.version, v.status IN ('current', 'retired') AS used,
            NOT v.cards && $3::text[]
              AND NOT EXISTS (SELECT 1 FROM unnest(v.events) AS x
                                JOIN erasure_items i ON i.workspace_id = $1 AND i.erasure_id = $4 AND i.kind = 'event'
                                                    AND i.id = x) AS clean
       FROM skill_versions v
      WHERE v.workspace_id = $1 AND v.card_id = $2
      ORDER BY v.version DESC`,
    [tx.workspace, card.id, card.erased, walk.erasureId],
  );
  const kept =
    versions.find(({ clean, used }) => clean && used) ?? versions.find(({ clean }) => clean);
  const version = kept?.version ?? (await addPlain(tx, walk, head, sources));
  if (head.current_version !== null) await useVersion(tx, card.id, version);
  await tx.query(
    'DELETE FROM skill_versions WHERE workspace_id = $1 AND card_id = $2 AND version = ANY ($3)',
    [tx.workspace, card.id, versions.flatMap(({ version: one, clean }) => (clean ? [] : [one]))],
  );
  await tx.query(
    `DELETE FROM skill_tests t
      WHERE t.workspace_id = $1 AND t.card_id = $2
        AND (t.source_card = ANY ($3)
          OR EXISTS (SELECT 1 FROM erasure_items i
                      WHERE i.workspace_id = $1 AND i.erasure_id = $4 AND i.kind = 'event' AND i.id = t.source_event))`,
    [tx.workspace, card.id, card.erased, walk.erasureId],
  );
  const row = await readVersion(tx, card.id, version);
  if (row === null) throw new Error('a version that was put in use is gone');
  return skillSummary(head.name, row.description, row.document);
}

/** Whether the skill is advised stays as it is. */
async function useVersion(tx: Tx, cardId: string, version: number): Promise<void> {
  const values = [tx.workspace, cardId, version];
  await tx.query(
    `UPDATE skill_versions SET status = 'retired'
      WHERE workspace_id = $1 AND card_id = $2 AND status = 'current' AND version <> $3`,
    values,
  );
  await tx.query(
    `UPDATE skill_versions SET status = 'current' WHERE workspace_id = $1 AND card_id = $2 AND version = $3`,
    values,
  );
  await tx.query(
    'UPDATE skills SET current_version = $3 WHERE workspace_id = $1 AND card_id = $2',
    values,
  );
}

async function addPlain(
  tx: Tx,
  walk: ErasureWalk,
  head: { card_id: string; latest_version: number },
  sources: readonly Episode[],
): Promise<number> {
  const { description, document } = plainSkill(sources);
  return await addVersion(
    tx,
    head,
    {
      ...{ description, document, body: markdownOf(document), flagged: false },
      ...{
        events: [],
        cards: sources.map(({ id }) => id),
        run: null,
        model: null,
        promptVersion: null,
      },
      writer: ERASER,
    },
    walk.now,
  );
}

function plainSkill(sources: readonly Episode[]): { description: string; document: SkillDocument } {
  const steps = [...sources]
    .sort((a, b) => epochMs(a.valid_from) - epochMs(b.valid_from) || (a.id < b.id ? -1 : 1))
    .flatMap((source) => stepOf(source));
  if (steps.length === 0) {
    const purpose = 'What was learned here rests on fewer cards than before; read them.';
    const document = { purpose, preconditions: [], steps: [], failure_handling: [], causes: [] };
    return { description: purpose, document };
  }
  return skillOfTask({ task_type: null, goal: '', asked: '', steps });
}

/** A call without what was put in and what came out. */
function stepOf({ id, version, hints, sign, valid_from: at, agent }: Episode): TaskStep[] {
  const { service, operation } = hints;
  if (service === null || operation === null || sign === 'failed') return [];
  return [
    {
      ...{
        card_id: id,
        version,
        event_id: null,
        service,
        operation,
        outcome: 'worked',
        summary: '',
      },
      ...{ error_family: null, error_signature: null, input_fields: {}, at, agent, output: null },
    },
  ];
}
