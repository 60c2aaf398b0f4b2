import type { Card } from '../contracts/card';
import type { CardStatus, PrincipalKind } from '../contracts/names';
import type { Policy } from '../contracts/policy';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { heldBack, TRUST_RANK, trustOf } from '../domain/policy';
import type { ChangedColumns } from '../store/card-edits';
import type { Caller } from './authentication';
import { subjectOfRules } from './card-draft';

export type Standing = Pick<ChangedColumns, 'trust' | 'status' | 'status_before' | 'flags'>;

/**
 * New words are worth no more than whoever wrote them: they take the lower trust of the two, and what an
 * agent says in the place of something confirmed waits to be confirmed again. A person's words lift the
 * suspicion of a planted instruction, an agent's do not. The policy holds back what it would hold back in
 * a new card; a release gives such a card the standing that it would have had.
 */
export function standingOf(policy: Policy, caller: Caller, before: Card, after: Card): Standing {
  const { kind } = caller.context.principal;
  const { summary, hints, scope } = after;
  const { service, operation } = hints;
  const writer = trustOf(
    policy,
    kind,
    subjectOfRules({ summary, hints: { service, operation } }, scope),
  );
  const flagged = looksLikeInstruction(summary, kind === 'person' ? 'request' : 'told');
  const stays = kind !== 'person' && before.flags.includes('instruction_like');
  const lowered = loweredBy(kind, before.status);
  const isHeld =
    kind !== 'person' &&
    heldBack(policy, { flags: flagged ? ['instruction_like'] : [], trust: writer });
  return {
    trust: TRUST_RANK[writer] < TRUST_RANK[before.trust] ? writer : before.trust,
    flags: flagged || stays ? ['instruction_like'] : [],
    ...(lowered === before.status ? {} : { status: lowered }),
    ...(isHeld ? { status: 'quarantined', status_before: lowered } : {}),
  };
}

/** New words were validated by nobody, and an agent's were confirmed by nobody either. */
function loweredBy(writer: PrincipalKind, status: CardStatus): CardStatus {
  if (writer === 'agent' && ['active', 'validated'].includes(status)) return 'pending';
  return writer === 'runtime' && status === 'validated' ? 'active' : status;
}
