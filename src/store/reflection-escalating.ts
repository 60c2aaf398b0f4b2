import type { LinkChange, ReflectedChange } from '../contracts/proposal';
import { counted } from '../domain/distill/plain-text';
import { REFLECTION } from './card-writes-found';
import type { Tx } from './database';
import { openProposalFor } from './proposal-opening';
import type { Verdict } from './reflection-verdicts';
import type { KeptDraft } from './reflections';

/**
 * Puts a candidate to a person. Its words stand with the reflection and in the summary, which is shown to whoever
 * may see all of its evidence; what would change is told in ids and figures.
 * @returns the proposal; null where one of the same matter waits already
 */
export async function openReflected(
  tx: Tx,
  reflectionId: string,
  { draft, matterHash, versions, sources }: Verdict,
  now: Date,
): Promise<string | null> {
  const [first] = sources;
  if (first === undefined) return null;
  const { scope } = first;
  const opened = await openProposalFor(tx, {
    type: draft.type,
    matter: `${draft.type}:${matterHash}`,
    team: scope.type === 'team' ? scope.id : null,
    title: titleOf(draft, first.hints),
    summary: summaryOf(draft),
    draftedBy: draft.distilled_by === 'model' ? 'model' : 'rule',
    evidence: draft.sources,
    change: changeOf(reflectionId, draft, versions),
    proposedBy: { kind: 'system', id: REFLECTION },
    agent: scope.type === 'agent' ? scope.id : null,
    channel: 'workflow',
    now,
  });
  return opened.isNew ? opened.id : null;
}

/** By labels, which hold no content. */
function titleOf(
  draft: KeptDraft,
  { service, operation }: { service: string | null; operation: string | null },
): string {
  const about =
    service === null
      ? ''
      : ` about ${[service, operation].filter((part) => part !== null).join('.')}`;
  switch (draft.type) {
    case 'fact':
      return `A fact to remember${about}`;
    case 'skill':
      return `A skill to keep${about}`;
    case 'link':
      return `Two cards to link${about}`;
    default:
      return draft satisfies never;
  }
}

function summaryOf(draft: KeptDraft): string {
  const { confidence, evidence, agents } = draft;
  const rests = `It rests on ${counted(evidence, 'event')} of ${counted(agents, 'agent')}; confidence ${confidence.toFixed(2)}.`;
  switch (draft.type) {
    case 'fact':
      return `${draft.text} ${rests}`;
    case 'skill': {
      const steps = draft.document.steps.map(({ text }, at) => `${at + 1}. ${text}`);
      return `${draft.name}: ${draft.text} ${steps.join(' ')} ${rests}`;
    }
    case 'link':
      return `The newer card ${VERBS[draft.link]} the older one: ${draft.text}. ${rests}`;
    default:
      return draft satisfies never;
  }
}

const VERBS = {
  supports: 'supports',
  constrains: 'warns of',
  satisfies: 'answers',
  conflicts: 'contradicts',
} as const;

function changeOf(
  reflection_id: string,
  draft: KeptDraft,
  card_versions: Record<string, number>,
): ReflectedChange | LinkChange {
  if (draft.type !== 'link') return { reflection_id, card_versions };
  const { from, to, link: edge_type, confidence } = draft;
  return { reflection_id, card_versions, from, to, edge_type, confidence };
}
