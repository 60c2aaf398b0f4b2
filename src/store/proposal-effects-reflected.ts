import type { CardVersions, LinkChange, ReflectedChange } from '../contracts/proposal';
import type { Episode } from '../domain/consolidation/episode';
import { durationMs } from '../domain/durations';
import { movedSources } from '../domain/reflection/moved';
import { holdSources, readSources } from './card-writes-episodes';
import { type FindingWrite, writeFact, writeSkill } from './card-writes-found';
import type { Tx } from './database';
import { insertEdges } from './edge-writes';
import type { Approval, Effect, NotApplied } from './proposal-effects';
import { type ProposalRow, setProposal } from './proposal-row';
import { holdReflection, type KeptDraft, settleReflection } from './reflections';

/**
 * Approved, what was found is written as if the gate had approved it: with the readers that its cards have now.
 * Rejected, it is not proposed again for the same evidence.
 */
export const REFLECTED_EFFECT: Effect = {
  approve: async (tx, row, approval) => {
    const { reflection_id } = row.change as ReflectedChange;
    const reflection = await holdReflection(tx, reflection_id);
    if (reflection === null || reflection.draft === null) return await lapse(tx, row, approval);
    const { card_versions } = row.change as ReflectedChange;
    const looked = await lookAgain(tx, row, card_versions, approval);
    if ('refusal' in looked) return looked;
    const made = await make(tx, reflection.draft, looked.sources, row, {
      reflectionId: reflection_id,
      workflowId: approval.workflowId,
      runId: null,
      // Whoever has no embedder finds nothing to embed.
      makesVectors: true,
      now: approval.at,
    });
    await settleReflection(tx, reflection_id, { decision: 'approved', ...made, at: approval.at });
    return { status: 'applied', fixId: null };
  },

  reject: async (tx, row, { at }) => {
    const { reflection_id } = row.change as ReflectedChange;
    await settleReflection(tx, reflection_id, { decision: 'rejected', at });
    return { status: 'rejected', fixId: null };
  },
};

async function make(
  tx: Tx,
  draft: KeptDraft,
  sources: readonly Episode[],
  row: ProposalRow,
  write: FindingWrite,
): Promise<{ cardId?: string; edgeId?: string }> {
  switch (draft.type) {
    case 'fact':
      return { cardId: await writeFact(tx, draft, sources, write) };
    case 'skill':
      return { cardId: await writeSkill(tx, draft, sources, write) };
    case 'link': {
      const { from, to, edge_type: type, confidence } = row.change as LinkChange;
      const [edge] = await insertEdges(
        tx,
        [{ type, from, to, confidence, reason: draft.text }],
        write.now,
      );
      // Filing drew it meanwhile: it stands, as was approved.
      return edge === undefined ? {} : { edgeId: edge.id };
    }
    default:
      return draft satisfies never;
  }
}

/**
 * The cards that it rests on, held, as the person looked at them. Where they only have another version it is put to
 * them again with these; where one of them is gone, or has other readers, there is nothing left to approve.
 */
async function lookAgain(
  tx: Tx,
  row: ProposalRow,
  versions: CardVersions,
  approval: Approval,
): Promise<NotApplied | { sources: Episode[] }> {
  const { at, policy } = approval;
  const ids = Object.keys(versions).sort();
  await holdSources(tx, ids);
  const cards = await readSources(tx, ids, { now: at, tieMs: durationMs(policy.resolve.tie) });
  const moved = movedSources(versions, cards, at.getTime());
  if (moved.length === 0) return { sources: ids.flatMap((id) => cards.get(id) ?? []) };
  const now = Object.fromEntries(ids.map((id) => [id, cards.get(id)?.version ?? 0]));
  if (movedSources(now, cards, at.getTime()).length > 0) return await lapse(tx, row, approval);
  const change = { ...(row.change as ReflectedChange), card_versions: now };
  const version = row.version + 1;
  const again = await setProposal(tx, row, { status: row.status, version, change, at });
  return { refusal: 'world_changed', row: again };
}

export async function lapse(
  tx: Tx,
  row: ProposalRow,
  { at }: Pick<Approval, 'at'>,
): Promise<NotApplied> {
  return { refusal: 'world_changed', row: await setProposal(tx, row, { status: 'lapsed', at }) };
}
