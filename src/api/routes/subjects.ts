import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { putSubjectSchema, subjectSchema } from '../../schemas/principals';
import {
  listSubjects,
  putSubject,
  readSubject,
  type SubjectChange,
} from '../../store/subject-directory';
import type { ApiDependencies, App } from '../app';
import { checkedId, directoryOf, keptField, oneOf, pageById, putOnce } from '../listing';
import { notFound } from '../problem';

export function subjectRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/subjects',
    {
      schema: {
        summary: 'Whom or what memories are about, by id',
        tags: ['principals'],
        querystring: listQuery({}),
        response: { 200: pageSchema(subjectSchema) },
      },
    },
    (request) =>
      pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) => listSubjects(tx, page)),
      ),
  );

  app.get(
    '/v1/subjects/:id',
    {
      schema: {
        summary: 'One subject; a member reads their own',
        tags: ['principals'],
        params: idParams,
        response: { 200: subjectSchema },
      },
    },
    (request) => {
      const { caller } = request;
      const id = deps.pseudonyms.of(caller.context.workspace, request.params.id);
      if (caller.context.principal.role === 'member' && caller.memberSubject !== id) {
        throw notFound('subject');
      }
      return oneOf(deps, request, 'subject', (tx) => readSubject(tx, id));
    },
  );

  app.put(
    '/v1/subjects/:id',
    {
      schema: {
        summary:
          'Make or change a subject; with memory off nothing more is remembered about it, and no agent is shown what is',
        tags: ['principals'],
        params: idParams,
        body: putSubjectSchema,
        response: { 200: subjectSchema, 201: subjectSchema },
      },
    },
    async (request, reply) => {
      const { body } = request;
      const directory = directoryOf(deps, request);
      const plain = (value: string) => directory.plainId(value);
      const id = checkedId(request.params.id, (value) => directory.namedId(value));
      const change: SubjectChange = {
        ...body,
        name: keptField(body.name, (value) => directory.text(value), '/name'),
        kind: keptField(body.kind, plain, '/kind'),
        household: keptField(body.household, plain, '/household'),
      };
      const { status, body: subject } = await putOnce(deps, request, {
        type: 'subject',
        id,
        put: (tx, now) => putSubject(tx, id, change, now),
        read: (tx) => readSubject(tx, id),
      });
      return reply.status(status).send(subject);
    },
  );
}
