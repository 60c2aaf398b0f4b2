import { z } from 'zod';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { projectSchema, putProjectSchema } from '../../schemas/principals';
import { writeAudit } from '../../store/audit';
import { archiveConversations, isTalkedAbout } from '../../store/conversations';
import { closeProject, isNamed, listProjects, putProject, readProject } from '../../store/projects';
import type { ApiDependencies, App } from '../app';
import { writeOnce } from '../idempotency';
import { checkedId, directoryOf, keptField, oneOf, pageById, putOnce } from '../listing';
import { notFound } from '../problem';

export function projectRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/projects',
    {
      schema: {
        summary: 'Projects, by id',
        tags: ['principals'],
        querystring: listQuery({ status: z.enum(['open', 'closed']).optional() }),
        response: { 200: pageSchema(projectSchema) },
      },
    },
    (request) => {
      const { status = null } = request.query;
      return pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) =>
          listProjects(tx, { ...page, status }),
        ),
      );
    },
  );

  app.get(
    '/v1/projects/:id',
    {
      schema: {
        summary: 'One project',
        tags: ['principals'],
        params: idParams,
        response: { 200: projectSchema },
      },
    },
    (request) => oneOf(deps, request, 'project', (tx) => readProject(tx, request.params.id)),
  );

  app.put(
    '/v1/projects/:id',
    {
      schema: {
        summary: 'Make a project, or rename it',
        tags: ['principals'],
        params: idParams,
        body: putProjectSchema,
        response: { 200: projectSchema, 201: projectSchema },
      },
    },
    async (request, reply) => {
      const directory = directoryOf(deps, request);
      const id = checkedId(request.params.id, (value) => directory.plainId(value));
      const name = keptField(request.body.name, (value) => directory.text(value), '/name');
      const { status, body } = await putOnce(deps, request, {
        type: 'project',
        id,
        put: (tx, now) => putProject(tx, id, { name }, now),
        read: (tx) => readProject(tx, id),
      });
      return reply.status(status).send(body);
    },
  );

  app.post(
    '/v1/projects/:id/close',
    {
      schema: {
        summary: 'Close a project: what it left leaves recall unless asked for by project',
        description: 'Its conversations are archived: they can be read, and are no longer used.',
        tags: ['principals'],
        params: idParams,
        response: { 200: projectSchema },
      },
    },
    async (request, reply) => {
      const directory = directoryOf(deps, request);
      const id = checkedId(request.params.id, (value) => directory.plainId(value));
      const answer = await writeOnce(request, deps, {
        perform: async (tx) => {
          const now = deps.clock();
          // A project that only cards name so far has no row yet, and can be closed all the same.
          const isKnown =
            (await readProject(tx, id)) !== null ||
            (await isNamed(tx, id, now)) ||
            (await isTalkedAbout(tx, id));
          if (!isKnown) throw notFound('project');
          const { created } = await putProject(tx, id, {}, now);
          if (await closeProject(tx, id, now)) {
            await archiveConversations(tx, id, now);
            await writeAudit(tx, {
              at: now,
              actor: request.caller.context.principal,
              action: 'project.closed',
              target: { type: 'project', id },
              changed: created ? ['created', 'status'] : ['status'],
              channel: 'api',
            });
          }
          const body = await readProject(tx, id);
          if (body === null) throw notFound('project');
          return { status: 200, reference: { id }, body };
        },
        rebuild: (tx) => readProject(tx, id),
      });
      return reply.send(answer.body as z.output<typeof projectSchema>);
    },
  );
}
