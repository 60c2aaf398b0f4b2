import type { z } from 'zod';
import type { Card } from '../contracts/card';
import { workspaceHasher } from '../intake/hashing';
import type { grantSchema } from '../schemas/card';
import { findAgents } from '../store/agents';
import {
  type CardGrant,
  type GrantTerms,
  grantToAgent,
  grantToGroup,
  isKin,
  listGrants,
  membersOf,
  revokeFromAgent,
  revokeFromGroup,
} from '../store/card-grants';
import { type Grantee, shortenMade } from '../store/card-grants-made';
import type { Tx } from '../store/database';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { auditCard } from './card-changing';
import { fitRemark } from './card-content';
import { isPerson, readerOf, requireCard, requireChange } from './card-rights';
import { type Asked, writeOnce } from './idempotency';
import { badRequest, notAllowed, notFound } from './problem';

/** Showing a card to one more agent or to a group, with a purpose and an end, and taking it back. */

/**
 * Lets one more agent see a card; again replaces purpose and end. A repetition may answer with the id.
 * @throws Problem 404, 403 beyond what the caller may give, 400 for an end in the past and for the agent
 * whose card it is.
 */
export async function shareWithAgent(
  deps: ApiDependencies,
  request: Asked,
  grant: { id: string; agent: string; terms: GrantBody },
): Promise<CardGrant | { id: string }> {
  const { caller } = request;
  const agent = deps.pseudonyms.of(caller.context.workspace, grant.agent);
  const terms = await termsOf(deps, request, grant.terms);
  return await grantOnce(deps, request, grant.id, {
    name: agent,
    grantee: { agent },
    until: terms.expiresAt,
    find: (given) => given.agent === agent,
    give: async (tx, card) => {
      requireOther(card, agent);
      if (!isPerson(caller)) await requireKin(tx, card, [agent]);
      else if (!(await findAgents(tx, [agent])).has(agent)) throw notFound('agent');
      return await grantToAgent(tx, card.id, agent, terms);
    },
  });
}

/** The same for the agents of a group, whoever joins later included. */
export async function shareWithGroup(
  deps: ApiDependencies,
  request: Asked,
  grant: { id: string; group: string; terms: GrantBody },
): Promise<CardGrant | { id: string }> {
  const { caller } = request;
  const { group } = grant;
  const terms = await termsOf(deps, request, grant.terms);
  return await grantOnce(deps, request, grant.id, {
    name: group,
    grantee: { group },
    until: terms.expiresAt,
    find: (given) => given.group === group,
    give: async (tx, card) => {
      const members = await membersOf(tx, group);
      if (!isPerson(caller)) await requireKin(tx, card, members ?? [group]);
      if (members === null) throw notFound('agent group');
      return await grantToGroup(tx, card.id, group, terms);
    },
  });
}

/** Takes a grant back; the very next read sees neither the card nor what passes made of it. @throws Problem 404, 403 */
export async function unshareFromAgent(
  deps: ApiDependencies,
  request: Asked,
  grant: { id: string; agent: string },
): Promise<void> {
  const agent = deps.pseudonyms.of(request.caller.context.workspace, grant.agent);
  await revokeOnce(deps, request, grant.id, agent, (tx, card) =>
    revokeFromAgent(tx, card.id, agent),
  );
}

/** The same for a group; whoever sees the card in another way keeps it. */
export async function unshareFromGroup(
  deps: ApiDependencies,
  request: Asked,
  grant: { id: string; group: string },
): Promise<void> {
  await revokeOnce(deps, request, grant.id, grant.group, (tx, card) =>
    revokeFromGroup(tx, card.id, grant.group),
  );
}

/** What is asked of a grant: why, and until when. */
export type GrantBody = z.output<typeof grantSchema>;

async function termsOf(
  deps: ApiDependencies,
  request: Asked,
  body: GrantBody,
): Promise<GrantTerms> {
  const now = deps.clock();
  const expiresAt = body?.expires_at === undefined ? null : new Date(body.expires_at);
  if (expiresAt !== null && expiresAt <= now) {
    throw badRequest('expires_at: lies in the past', '/expires_at');
  }
  return { purpose: await fitRemark(deps, request.caller, body?.purpose), expiresAt, now };
}

/** @throws Problem 400: a grant that gives nothing would only hide who really is shown the card. */
function requireOther({ scope }: Card, agent: string): void {
  if (scope.type !== 'agent' || scope.id !== agent) return;
  throw badRequest(
    'that agent sees this card as its own, without a grant; name another agent to share it with',
  );
}

/** @throws Problem 403: wider than the owner's team and spawn tree, a person decides. */
async function requireKin(tx: Tx, card: Card, agents: readonly string[]): Promise<void> {
  if (await isKin(tx, card.scope.id, agents)) return;
  throw notAllowed(
    'an agent shares within its team and its spawn tree; beyond them a person shares',
  );
}

interface Giving {
  /** Of the agent or the group. */
  name: string;
  grantee: Grantee;
  until: Date | null;
  find(grant: CardGrant): boolean;
  give(tx: Tx, card: Card): Promise<CardGrant>;
}

async function grantOnce(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  giving: Giving,
): Promise<CardGrant | { id: string }> {
  const { caller } = request;
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const card = await grantable(tx, deps, caller, id);
      const body = await giving.give(tx, card);
      await auditGrant(tx, deps, request, { action: 'shared', id, name: giving.name });
      const { grantee, until } = giving;
      await auditMade(tx, deps, request, {
        action: 'shared',
        id,
        name: giving.name,
        made: await shortenMade(tx, card.id, grantee, until),
      });
      return { status: 200, reference: { id }, body };
    },
    rebuild: async (tx) => {
      const card = await grantable(tx, deps, caller, id);
      return (await listGrants(tx, card.id)).find(giving.find) ?? null;
    },
  });
  return answer.body ?? { id };
}

async function revokeOnce(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  name: string,
  revoke: (tx: Tx, card: Card) => Promise<string[]>,
): Promise<void> {
  await writeOnce(request, deps, {
    perform: async (tx) => {
      const card = await grantable(tx, deps, request.caller, id);
      const [own, ...made] = await revoke(tx, card);
      if (own === undefined) throw notFound('grant');
      await auditGrant(tx, deps, request, { action: 'unshared', id, name });
      await auditMade(tx, deps, request, { action: 'unshared', id, name, made });
      return { status: 204, reference: { id }, body: null };
    },
    rebuild: async () => null,
  });
}

async function grantable(tx: Tx, deps: ApiDependencies, caller: Caller, id: string): Promise<Card> {
  const { card } = await requireCard(tx, readerOf(caller, deps.clock), id);
  requireChange(caller, card);
  return card;
}

interface GrantAudit {
  action: 'shared' | 'unshared';
  id: string;
  /** Of the agent or the group. */
  name: string;
}

/** A row for each card that a pass made of this one, whose grant follows. */
async function auditMade(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  { action, id: follows, name, made }: GrantAudit & { made: readonly string[] },
): Promise<void> {
  for (const id of made) await auditGrant(tx, deps, request, { action, id, name, follows });
}

/** With whom stands in the audit as a keyed hash: to be checked against a name, not read as one. */
async function auditGrant(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  { action, id, name, follows }: GrantAudit & { follows?: string },
): Promise<void> {
  const hasher = workspaceHasher(deps.secretKey, tx.workspace);
  await auditCard(tx, deps, request, {
    action,
    id,
    changed: ['grants'],
    hashes: {
      with: hasher.shortId('grant', name),
      ...(follows === undefined ? {} : { follows }),
    },
    reason: null,
  });
}
