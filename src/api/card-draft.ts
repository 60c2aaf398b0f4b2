import type { CardHints, CardScope } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import type { CardKind } from '../contracts/names';
import { confidenceAsSaid, initialConfidence } from '../domain/confidence';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { keywordsOf } from '../domain/distill/keywords';
import { durationMs } from '../domain/durations';
import { initialStatus } from '../domain/initial-status';
import { type PolicySubject, trustOf } from '../domain/policy';
import type { NewCardBody } from '../schemas/card';
import type { NewCard } from '../store/card-writes';
import type { WorkspaceSettings } from '../store/settings';
import type { Caller } from './authentication';
import { isPerson } from './card-rights';
import type { Place } from './card-scope';

/** What a card by hand is made from. */
export interface Write {
  content: Omit<NewCardBody, 'scope'>;
  scope: CardScope;
  settings: WorkspaceSettings;
  place: Place;
  /** What belongs to it and stands elsewhere: judged with it, and no part of the card. */
  beside?: string | undefined;
}

/** What trust rules and write rules look at. */
export function subjectOfRules(content: Write['content'], scope: CardScope): PolicySubject {
  return {
    service: content.hints?.service ?? null,
    operation: content.hints?.operation ?? null,
    agent: scope.type === 'agent' ? scope.id : null,
  };
}

/** Everything that is decided about a card by who writes it, and by the policy. */
export function newCardOf(caller: Caller, write: Write & { id: string; now: Date }): NewCard {
  const { content, scope, settings, place, now } = write;
  const { principal, session } = caller.context;
  const kind = kindOf(content);
  const said = [content.summary, write.beside ?? ''].join('\n');
  const flagged = looksLikeInstruction(said, isPerson(caller) ? 'request' : 'told');
  return {
    id: write.id,
    kind,
    sign: content.sign ?? 'neutral',
    status: initialStatus(principal.kind),
    statusBefore: null,
    summary: content.summary,
    hints: hintsOf(content),
    inputFields: {},
    key: content.key ?? null,
    subject: content.subject ?? null,
    topic: content.topic ?? null,
    project: content.project ?? null,
    session,
    task: null,
    parentEvent: null,
    agent: place.agent?.id ?? null,
    team: place.agent?.team_id ?? null,
    scope,
    visibility: content.visibility ?? 'private',
    importance: content.importance ?? null,
    confidence:
      content.confidence === undefined
        ? initialConfidence(principal.kind)
        : confidenceAsSaid(principal.kind, content.confidence, null),
    trust: trustOf(settings.policy, principal.kind, subjectOfRules(content, scope)),
    flags: flagged ? ['instruction_like'] : [],
    metadata: content.metadata ?? {},
    validFrom: content.valid_from ?? now.toISOString(),
    recordedAt: now,
    expiresAt: expiryOf(content, kind, settings, now),
    eventId: null,
    writer: { kind: principal.kind, id: principal.id },
    workflowId: null,
    runId: null,
    model: null,
    promptVersion: null,
    distilledBy: isPerson(caller) ? 'person' : 'model',
    validTo: null,
    supersededBy: null,
  };
}

/** A failure that somebody writes down is a warning; anything else without a kind is knowledge. */
function kindOf(content: Write['content']): CardKind {
  if (content.kind !== undefined) return content.kind;
  return content.sign === 'failed' && content.key === undefined ? 'constraint' : 'knowledge';
}

function hintsOf({ hints, summary }: Write['content']): CardHints {
  const named = { operation: hints?.operation ?? undefined } as SettledEvent;
  return {
    service: hints?.service ?? null,
    operation: hints?.operation ?? null,
    task_type: hints?.task_type ?? null,
    workflow: hints?.workflow ?? null,
    step: hints?.step ?? null,
    keywords: hints?.keywords ?? keywordsOf(named, {}, summary),
    error_signature: hints?.error_signature ?? null,
    error_family: hints?.error_family ?? null,
  };
}

/** The policy's horizon for the kind bounds what the writer asks for. */
function expiryOf(
  content: Write['content'],
  kind: CardKind,
  settings: WorkspaceSettings,
  now: Date,
): Date | null {
  const horizon = settings.policy.retention.by_kind[kind];
  const latest = horizon === null ? null : new Date(now.getTime() + durationMs(horizon));
  const asked = typeof content.expires_at === 'string' ? new Date(content.expires_at) : null;
  if (asked === null || latest === null) return asked ?? latest;
  return new Date(Math.min(asked.getTime(), latest.getTime()));
}
