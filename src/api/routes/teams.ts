import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { putTeamSchema, teamSchema } from '../../schemas/principals';
import { listTeams, putTeam, readTeam } from '../../store/teams';
import type { ApiDependencies, App } from '../app';
import { checkedId, directoryOf, oneOf, pageById, putOnce } from '../listing';

export function teamRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/teams',
    {
      schema: {
        summary: 'Teams, by id',
        tags: ['principals'],
        querystring: listQuery({}),
        response: { 200: pageSchema(teamSchema) },
      },
    },
    (request) =>
      pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) => listTeams(tx, page)),
      ),
  );

  app.get(
    '/v1/teams/:id',
    {
      schema: {
        summary: 'One team',
        tags: ['principals'],
        params: idParams,
        response: { 200: teamSchema },
      },
    },
    (request) => oneOf(deps, request, 'team', (tx) => readTeam(tx, request.params.id)),
  );

  app.put(
    '/v1/teams/:id',
    {
      schema: {
        summary: 'Make a team, or rename it',
        tags: ['principals'],
        params: idParams,
        body: putTeamSchema,
        response: { 200: teamSchema, 201: teamSchema },
      },
    },
    async (request, reply) => {
      const directory = directoryOf(deps, request);
      const id = checkedId(request.params.id, (value) => directory.plainId(value));
      const name = directory.text(request.body.name);
      const { status, body } = await putOnce(deps, request, {
        type: 'team',
        id,
        put: (tx, now) => putTeam(tx, id, { name }, now),
        read: (tx) => readTeam(tx, id),
      });
      return reply.status(status).send(body);
    },
  );
}
