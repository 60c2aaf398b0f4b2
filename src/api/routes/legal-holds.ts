import { z } from 'zod';
import type { HoldSelector, LegalHold } from '../../contracts/legal-hold';
import type { Directory } from '../../intake/directory';
import { holdListQuery, holdSchema, putHoldSchema } from '../../schemas/legal-hold';
import { idParams, pageSchema } from '../../schemas/listing';
import { writeAudit } from '../../store/audit';
import { keepReason } from '../../store/card-edits';
import { newId } from '../../store/ids';
import { liftHold, listHolds, putHold, readHold } from '../../store/legal-holds';
import type { ApiDependencies, App } from '../app';
import { fitRemark } from '../card-content';
import { writeOnce } from '../idempotency';
import { checkedId, directoryOf, kept, oneOf, pageById } from '../listing';
import { notFound } from '../problem';

/** What must not be lost: a hold wins over deletion, expiry, retention, eviction and erasure while it stands. */
export function legalHoldRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/legal-holds',
    {
      schema: {
        summary: 'Legal holds, by id',
        tags: ['holds'],
        querystring: holdListQuery,
        response: { 200: pageSchema(holdSchema) },
      },
    },
    (request) =>
      pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) => listHolds(tx, page)),
      ),
  );

  app.get(
    '/v1/legal-holds/:id',
    {
      schema: {
        summary: 'One legal hold',
        tags: ['holds'],
        params: idParams,
        response: { 200: holdSchema },
      },
    },
    (request) => oneOf(deps, request, 'legal hold', (tx) => readHold(tx, request.params.id)),
  );

  app.put(
    '/v1/legal-holds/:id',
    {
      schema: {
        summary: 'Set a legal hold, or change what it keeps; it holds from the next request on',
        description:
          'It keeps the cards, events and conversations that any of its fields names: about a subject, by a person ' +
          'or about the subject that they are, of an agent, of a service (`source`), of a project, or by id. What is ' +
          'held is not deleted (409 `held`), does not expire, is neither evicted, purged nor erased, and its payload ' +
          'and tool results stay. It may be corrected and retired: its earlier versions are kept with it.',
        tags: ['holds'],
        params: idParams,
        body: putHoldSchema,
        response: { 200: holdSchema, 201: holdSchema },
      },
    },
    async (request, reply) => {
      const directory = directoryOf(deps, request);
      const id = checkedId(request.params.id, (value) => directory.plainId(value));
      const selector = fitSelector(request.body.selector, directory);
      const reason = (await fitRemark(deps, request.caller, request.body.reason)) ?? '';
      const { principal } = request.caller.context;
      const answer = await writeOnce(request, deps, {
        perform: async (tx) => {
          const at = deps.clock();
          const reasonId = newId('reason', at);
          await keepReason(tx, reasonId, reason, at);
          const made = await putHold(tx, { id, selector, reasonId, by: principal.id, at });
          await writeAudit(tx, {
            at,
            actor: principal,
            action: made ? 'legal_hold.set' : 'legal_hold.changed',
            target: { type: 'legal_hold', id },
            changed: Object.keys(selector),
            reasonId,
            channel: request.caller.channel,
          });
          const body = await readHold(tx, id);
          return { status: made ? 201 : 200, reference: { id }, body };
        },
        rebuild: async (tx) => {
          const found = await readHold(tx, id);
          if (found === null) throw notFound('legal hold');
          return found;
        },
      });
      return reply.status(answer.status as 200 | 201).send(answer.body as LegalHold);
    },
  );

  app.delete(
    '/v1/legal-holds/:id',
    {
      schema: {
        summary: 'Lift a legal hold: what it kept may go again',
        tags: ['holds'],
        params: idParams,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await writeOnce(request, deps, {
        perform: async (tx) => {
          if (!(await liftHold(tx, id))) throw notFound('legal hold');
          await writeAudit(tx, {
            at: deps.clock(),
            actor: request.caller.context.principal,
            action: 'legal_hold.lifted',
            target: { type: 'legal_hold', id },
            channel: request.caller.channel,
          });
          return { status: 204, reference: { id }, body: undefined };
        },
        rebuild: async () => undefined,
      });
      return reply.status(204).send();
    },
  );
}

/** As what it names is stored: a contact as its pseudonym. */
export function fitSelector(selector: HoldSelector, directory: Directory): HoldSelector {
  const named = (value: string) => directory.namedId(value);
  const plain = (value: string) => directory.plainId(value);
  const fit = { ...selector };
  for (const field of ['subject', 'person', 'agent', 'source', 'project'] as const) {
    const value = fit[field];
    const check = field === 'source' || field === 'project' ? plain : named;
    if (value !== undefined) fit[field] = kept(() => check(value), `/selector/${field}`);
  }
  return fit;
}
