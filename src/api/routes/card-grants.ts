import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Card } from '../../contracts/card';
import { workspaceHasher } from '../../intake/hashing';
import { grantSchema } from '../../schemas/card';
import { grantAnswerSchema } from '../../schemas/card-answers';
import { labelSchema } from '../../schemas/event';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { findAgents } from '../../store/agents';
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
} from '../../store/card-grants';
import type { Tx } from '../../store/database';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { auditCard } from '../card-changing';
import { fitRemark } from '../card-content';
import { isPerson, readerOf, requireCard, requireChange, requireInspection } from '../card-rights';
import { writeOnce } from '../idempotency';
import { BY_NUMBER, pageOf, positionIn } from '../paging';
import { badRequest, notAllowed, notFound } from '../problem';

const agentParams = z.object({ id: labelSchema, agent: labelSchema });
const groupParams = z.object({ id: labelSchema, group: labelSchema });

/** Showing a card to one more agent or to a group, with a purpose and an end, and taking it back. */
export function cardGrantRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/cards/:id/grants',
    {
      schema: {
        summary: 'With whom a card is shared, the first grant first',
        tags: ['cards'],
        params: idParams,
        querystring: listQuery({}),
        response: { 200: pageSchema(grantAnswerSchema) },
      },
    },
    async (request) => {
      const { caller, params, query } = request;
      const reader = readerOf(caller, deps.clock);
      const from = positionIn(query.cursor, BY_NUMBER)?.[0] ?? 0;
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const { card } = await requireCard(tx, reader, params.id);
        requireInspection(caller, card);
        const all = await listGrants(tx, card.id);
        const numbered = all.map((grant, index) => ({ grant, next: index + 1 }));
        const page = pageOf(
          numbered.slice(from, from + query.limit + 1),
          query.limit,
          ({ next }) => [next],
          all.length,
        );
        return { ...page, items: page.items.map(({ grant }) => grant) };
      });
    },
  );

  app.put(
    '/v1/cards/:id/grants/:agent',
    {
      schema: {
        summary:
          'Let one more agent see a card, for a purpose and until a time; again replaces both',
        description:
          'An agent shares its own cards within its team or spawn tree; a person anywhere.',
        tags: ['cards'],
        params: agentParams,
        body: grantSchema,
        response: { 200: z.union([grantAnswerSchema, z.object({ id: z.string() })]) },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const agent = deps.pseudonyms.of(caller.context.workspace, params.agent);
      const terms = await termsOf(deps, request, request.body);
      return await grantOnce(deps, request, params.id, {
        name: agent,
        find: (grant) => grant.agent === agent,
        give: async (tx, card) => {
          if (!isPerson(caller)) await requireKin(tx, card, [agent]);
          else if (!(await findAgents(tx, [agent])).has(agent)) throw notFound('agent');
          return await grantToAgent(tx, card.id, agent, terms);
        },
      });
    },
  );

  app.delete(
    '/v1/cards/:id/grants/:agent',
    {
      schema: {
        summary: 'Take a grant back; the very next read no longer sees the card',
        tags: ['cards'],
        params: agentParams,
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const agent = deps.pseudonyms.of(caller.context.workspace, params.agent);
      await revokeOnce(deps, request, params.id, agent, (tx, card) =>
        revokeFromAgent(tx, card.id, agent),
      );
      return reply.status(204).send();
    },
  );

  app.put(
    '/v1/cards/:id/group-grants/:group',
    {
      schema: {
        summary: 'Let the agents of a group see a card; who joins later sees it too',
        description: 'An agent may do so where every member is in its team or spawn tree.',
        tags: ['cards'],
        params: groupParams,
        body: grantSchema,
        response: { 200: z.union([grantAnswerSchema, z.object({ id: z.string() })]) },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const terms = await termsOf(deps, request, request.body);
      return await grantOnce(deps, request, params.id, {
        name: params.group,
        find: (grant) => grant.group === params.group,
        give: async (tx, card) => {
          const members = await membersOf(tx, params.group);
          if (!isPerson(caller)) await requireKin(tx, card, members ?? [params.group]);
          if (members === null) throw notFound('agent group');
          return await grantToGroup(tx, card.id, params.group, terms);
        },
      });
    },
  );

  app.delete(
    '/v1/cards/:id/group-grants/:group',
    {
      schema: {
        summary: 'Take a grant to a group back; whoever sees the card in another way keeps it',
        tags: ['cards'],
        params: groupParams,
      },
    },
    async (request, reply) => {
      const { id, group } = request.params;
      await revokeOnce(deps, request, id, group, (tx, card) => revokeFromGroup(tx, card.id, group));
      return reply.status(204).send();
    },
  );
}

async function termsOf(
  deps: ApiDependencies,
  request: FastifyRequest,
  body: z.output<typeof grantSchema>,
): Promise<GrantTerms> {
  const now = deps.clock();
  const expiresAt = body?.expires_at === undefined ? null : new Date(body.expires_at);
  if (expiresAt !== null && expiresAt <= now) {
    throw badRequest('expires_at: lies in the past', '/expires_at');
  }
  return { purpose: await fitRemark(deps, request.caller, body?.purpose), expiresAt, now };
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
  find(grant: CardGrant): boolean;
  give(tx: Tx, card: Card): Promise<CardGrant>;
}

async function grantOnce(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  giving: Giving,
): Promise<CardGrant | { id: string }> {
  const { caller } = request;
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const card = await grantable(tx, deps, caller, id);
      const body = await giving.give(tx, card);
      await auditGrant(tx, deps, request, 'shared', id, giving.name);
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
  request: FastifyRequest,
  id: string,
  name: string,
  revoke: (tx: Tx, card: Card) => Promise<boolean>,
): Promise<void> {
  await writeOnce(request, deps, {
    perform: async (tx) => {
      const card = await grantable(tx, deps, request.caller, id);
      if (!(await revoke(tx, card))) throw notFound('grant');
      await auditGrant(tx, deps, request, 'unshared', id, name);
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

/** With whom stands in the audit as a keyed hash: to be checked against a name, not read as one. */
async function auditGrant(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  action: 'shared' | 'unshared',
  id: string,
  name: string,
): Promise<void> {
  const hasher = workspaceHasher(deps.secretKey, tx.workspace);
  await auditCard(tx, deps, request, {
    action,
    id,
    changed: ['grants'],
    hashes: { with: hasher.shortId('grant', name) },
    reason: null,
  });
}
