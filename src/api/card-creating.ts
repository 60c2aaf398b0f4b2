import type { FastifyRequest } from 'fastify';
import type { Card, CardHints, CardScope } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import type { CardKind } from '../contracts/names';
import { initialConfidence } from '../domain/confidence';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { keywordsOf } from '../domain/distill/keywords';
import { durationMs } from '../domain/durations';
import { trustOf, writeRoute } from '../domain/policy';
import type { NewCardBody } from '../schemas/card';
import { type AgentRow, findAgents } from '../store/agents';
import { writeAudit } from '../store/audit';
import { queueLateVectors } from '../store/card-edits';
import { indexTextOf, type NewCard } from '../store/card-writes';
import { insertLinkedCard } from '../store/card-writes-linked';
import { readCard } from '../store/cards';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import type { WorkspaceSettings } from '../store/settings';
import { subjectsSwitchedOff } from '../store/subjects';
import { readTeam } from '../store/teams';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitContent, settingsIn } from './card-content';
import { type EmbeddedText, embedText, vectorFor } from './card-embedding';
import { isPerson } from './card-rights';
import { requireReader } from './known-agent';
import { badRequest, notAllowed, Problem } from './problem';

/** A card that somebody writes by hand, checked and redacted. */
export interface HandWritten {
  content: Omit<NewCardBody, 'scope'>;
  scope: CardScope;
  embedded: EmbeddedText;
}

/** Everything of a write that comes before its transaction: rights, redaction, the vector. */
export async function prepareCard(
  deps: ApiDependencies,
  request: FastifyRequest,
  body: NewCardBody,
): Promise<HandWritten> {
  const { caller } = request;
  if (caller.restricted && !isPerson(caller)) {
    throw notAllowed('a restricted agent reads only; its parent writes for it');
  }
  const { scope: named, ...written } = body;
  const scope = scopeOf(deps, caller, named);
  if (!isPerson(caller)) await requireReader(deps, caller);
  const { settings, place } = await deps.database.inWorkspace(
    caller.context.workspace,
    async (tx) => ({ settings: await settingsIn(tx), place: await placeOf(tx, scope) }),
  );
  const content = fitContent(deps, caller, settings, written);
  if (!isPerson(caller) && (content.visibility ?? 'private') !== 'private') {
    throw notAllowed('household and organization need a person');
  }
  requireOrder(content, deps.clock());
  const draft = newCardOf(caller, { content, scope, settings, place, id: '', now: deps.clock() });
  return { content, scope, embedded: await embedText(deps, indexTextOf(draft)) };
}

/**
 * Writes the card in the caller's transaction, by the modes and the policy of this moment.
 * @param mayReplace whether it supersedes what stands under its key
 */
export async function createCard(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  written: HandWritten,
  mayReplace: boolean,
): Promise<Card> {
  const { content, scope, embedded } = written;
  const now = deps.clock();
  const { settings, place } = await requireWritable(tx, written);
  const id = newId('card', now);
  const card = newCardOf(caller, { content, scope, settings, place, id, now });
  const vector = vectorFor(embedded, indexTextOf(card));
  const policy = settings.policy.link;
  await insertLinkedCard(tx, { card, vector, policy, lineage: [], mayReplace, now });
  if (vector === null) await queueLateVectors(tx, now);
  await writeAudit(tx, {
    at: now,
    actor: caller.context.principal,
    action: 'card.created',
    target: { type: 'card', id },
    versions: [1],
    channel: 'api',
  });
  // Who writes sees what they wrote, even where the agent they name would not.
  const made = await readCard(tx, [tx.workspace, null, null, true, null, now], id);
  if (made === null) throw new Error('a card vanished in the transaction that wrote it');
  return made.card;
}

/**
 * The agent's own by default. What is wider than one agent is written by people who decide.
 * @throws Problem 400 where the scope has to be named, 403 where it is not the caller's to write.
 */
export function scopeOf(
  deps: ApiDependencies,
  caller: Caller,
  named: CardScope | undefined,
): CardScope {
  const { agent, principal, workspace } = caller.context;
  if (named === undefined) {
    if (agent !== null) return { type: 'agent', id: agent };
    throw badRequest(
      isPerson(caller)
        ? 'scope: a person who names no agent says whose card it is'
        : "name the agent that writes: a runtime's key adds Cairn-Agent",
      '/scope',
    );
  }
  if (named.type === 'agent') {
    const id = deps.pseudonyms.of(workspace, named.id);
    if (isPerson(caller) || id === agent) return { type: 'agent', id };
    throw notAllowed('an agent writes into its own scope only');
  }
  if (!isPerson(caller) || (principal.role !== 'owner' && principal.role !== 'reviewer')) {
    throw notAllowed('a card of a team or of the workspace needs a reviewer or an owner');
  }
  if (named.type === 'workspace' && named.id !== workspace) {
    throw badRequest('scope: the workspace of this key is another one', '/scope/id');
  }
  return named;
}

interface Place {
  /** Null in a scope that is wider than one agent. */
  agent: AgentRow | null;
}

async function placeOf(tx: Tx, scope: CardScope): Promise<Place> {
  switch (scope.type) {
    case 'agent': {
      const agent = (await findAgents(tx, [scope.id])).get(scope.id);
      if (agent === undefined) throw unknownScope('an agent');
      return { agent };
    }
    case 'team':
      if ((await readTeam(tx, scope.id)) === null) throw unknownScope('a team');
      return { agent: null };
    case 'workspace':
      return { agent: null };
    default:
      return scope.type satisfies never;
  }
}

function unknownScope(what: string): Problem {
  return badRequest(`scope: names ${what} this workspace does not know`, '/scope/id');
}

interface Write {
  content: Omit<NewCardBody, 'scope'>;
  scope: CardScope;
  settings: WorkspaceSettings;
  place: Place;
}

/**
 * Modes, stops and write rules hold for what is written by hand too, but for `manual`: this is the
 * manual way.
 * @throws Problem 403, whose code says which of them it was.
 */
export async function requireWritable(
  tx: Tx,
  { content, scope }: Pick<HandWritten, 'content' | 'scope'>,
): Promise<{ settings: WorkspaceSettings; place: Place }> {
  const settings = await settingsIn(tx);
  const place = await placeOf(tx, scope);
  if (settings.memoryMode === 'off') throw memoryOff("this workspace's memory is off");
  if (place.agent?.memory_mode === 'off') throw memoryOff("this agent's memory is off");
  if (place.agent?.writes_stopped === true) {
    throw new Problem(403, 'stopped', "a person stopped this agent's writes");
  }
  const { subject } = content;
  if (typeof subject === 'string' && (await subjectsSwitchedOff(tx, [subject])).has(subject)) {
    throw memoryOff('nothing is remembered about this subject');
  }
  const route = writeRoute(settings.policy, subjectOfRules(content, scope));
  if (route !== 'durable') {
    throw new Problem(403, route, 'a write rule of the policy keeps this out of memory');
  }
  return { settings, place };
}

function memoryOff(detail: string): Problem {
  return new Problem(403, 'memory_off', `${detail}; a person may switch it on`);
}

/** What trust rules and write rules look at. */
function subjectOfRules(content: Write['content'], scope: CardScope) {
  return {
    service: content.hints?.service ?? null,
    operation: content.hints?.operation ?? null,
    agent: scope.type === 'agent' ? scope.id : null,
  };
}

function requireOrder(content: Write['content'], now: Date): void {
  if (typeof content.expires_at === 'string' && new Date(content.expires_at) <= now) {
    throw badRequest('expires_at: lies in the past', '/expires_at');
  }
}

function newCardOf(caller: Caller, write: Write & { id: string; now: Date }): NewCard {
  const { content, scope, settings, place, now } = write;
  const { principal, session } = caller.context;
  const kind = kindOf(content);
  const flagged = looksLikeInstruction(content.summary, isPerson(caller) ? 'request' : 'told');
  return {
    id: write.id,
    kind,
    sign: content.sign ?? 'neutral',
    status: principal.kind === 'agent' ? 'pending' : 'active',
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
    confidence: content.confidence ?? initialConfidence(principal.kind),
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
