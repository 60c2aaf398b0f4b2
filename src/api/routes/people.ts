import type { PersonRole } from '../../contracts/names';
import type { Person } from '../../contracts/principal';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { personSchema, putPersonSchema } from '../../schemas/principals';
import { writeAudit } from '../../store/audit';
import type { Tx } from '../../store/database';
import type { Put } from '../../store/directory-change';
import type { PersonChange } from '../../store/people';
import { listPeople, otherOwners, putPerson, readPerson } from '../../store/people';
import { ensureSubject } from '../../store/subject-directory';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { checkedId, directoryOf, keptField, oneOf, pageById, putOnce } from '../listing';
import { badRequest, notAllowed, notFound, Problem } from '../problem';

export function peopleRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/people',
    {
      schema: {
        summary: 'People, by id',
        tags: ['principals'],
        querystring: listQuery({}),
        response: { 200: pageSchema(personSchema) },
      },
    },
    (request) =>
      pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) => listPeople(tx, page)),
      ),
  );

  app.get(
    '/v1/people/:id',
    {
      schema: {
        summary: 'One person; a member reads themselves',
        tags: ['principals'],
        params: idParams,
        response: { 200: personSchema },
      },
    },
    (request) => {
      const { workspace, principal } = request.caller.context;
      const id = deps.pseudonyms.of(workspace, request.params.id);
      if (principal.role === 'member' && principal.id !== id) throw notFound('person');
      return oneOf(deps, request, 'person', (tx) => readPerson(tx, id));
    },
  );

  app.put(
    '/v1/people/:id',
    {
      schema: {
        summary: 'Make or change a person; an owner is made and changed by owners only',
        tags: ['principals'],
        params: idParams,
        body: putPersonSchema,
        response: { 200: personSchema, 201: personSchema },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const directory = directoryOf(deps, request);
      const id = checkedId(request.params.id, (value) => directory.namedId(value));
      const email = typeof body.email === 'string' ? directory.emailToken(body.email) : body.email;
      if (email === null && body.email !== null) throw badRequest('email: is not one', '/email');
      const change: PersonChange = {
        name: directory.text(body.name),
        role: body.role,
        email,
        subject: keptField(body.subject, (value) => directory.namedId(value), '/subject'),
      };
      const { status, body: person } = await putOnce(deps, request, {
        type: 'person',
        id,
        put: async (tx, now) => {
          await requireRight(tx, caller, id, change.role);
          return await putWithSubject(tx, caller, id, change, now);
        },
        read: (tx) => readPerson(tx, id),
      });
      return reply.status(status).send(person);
    },
  );
}

/** An operator who could make an owner would be one; and a workspace keeps one. */
async function requireRight(tx: Tx, caller: Caller, id: string, role: PersonRole): Promise<void> {
  const before = await readPerson(tx, id);
  const touchesOwner = role === 'owner' || before?.role === 'owner';
  if (touchesOwner && caller.context.principal.role !== 'owner') {
    throw notAllowed('an owner is made and changed by an owner only');
  }
  if (before?.role === 'owner' && role !== 'owner' && (await otherOwners(tx, id)) === 0) {
    throw new Problem(409, 'last_owner', 'a workspace keeps an owner; make another one first');
  }
}

/** A subject that only events have named so far becomes known by being somebody's. */
async function putWithSubject(
  tx: Tx,
  caller: Caller,
  id: string,
  change: PersonChange,
  now: Date,
): Promise<Put<Person>> {
  const subject = change.subject ?? null;
  if (subject !== null && (await ensureSubject(tx, subject, now))) {
    await writeAudit(tx, {
      at: now,
      actor: caller.context.principal,
      action: 'subject.created',
      target: { type: 'subject', id: subject },
      channel: 'api',
    });
  }
  return await putPerson(tx, id, change, now);
}
