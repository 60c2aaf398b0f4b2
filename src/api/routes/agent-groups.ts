import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { agentGroupSchema, putAgentGroupSchema } from '../../schemas/principals';
import { unknownAgents } from '../../store/agent-directory';
import { listAgentGroups, putAgentGroup, readAgentGroup } from '../../store/agent-groups';
import type { ApiDependencies, App } from '../app';
import { checkedId, directoryOf, kept, oneOf, pageById, putOnce } from '../listing';
import { badRequest } from '../problem';

export function agentGroupRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/agent-groups',
    {
      schema: {
        summary: 'Groups of agents that cards can be granted to, by id',
        tags: ['principals'],
        querystring: listQuery({}),
        response: { 200: pageSchema(agentGroupSchema) },
      },
    },
    (request) =>
      pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) =>
          listAgentGroups(tx, page),
        ),
      ),
  );

  app.get(
    '/v1/agent-groups/:id',
    {
      schema: {
        summary: 'One group and its members',
        tags: ['principals'],
        params: idParams,
        response: { 200: agentGroupSchema },
      },
    },
    (request) => oneOf(deps, request, 'agent group', (tx) => readAgentGroup(tx, request.params.id)),
  );

  app.put(
    '/v1/agent-groups/:id',
    {
      schema: {
        summary: 'Set who is in a group; what was granted to it follows at once',
        tags: ['principals'],
        params: idParams,
        body: putAgentGroupSchema,
        response: { 200: agentGroupSchema, 201: agentGroupSchema },
      },
    },
    async (request, reply) => {
      const directory = directoryOf(deps, request);
      const id = checkedId(request.params.id, (value) => directory.plainId(value));
      const members = request.body.members.map((member, index) =>
        kept(() => directory.namedId(member), `/members/${index}`),
      );
      const { status, body } = await putOnce(deps, request, {
        type: 'agent_group',
        id,
        put: async (tx, now) => {
          const unknown = await unknownAgents(tx, members);
          const [first] = unknown;
          if (first !== undefined) {
            throw badRequest(
              `members: ${unknown.length} of them are agents this workspace does not know`,
              `/members/${members.indexOf(first)}`,
            );
          }
          return await putAgentGroup(tx, id, members, now);
        },
        read: (tx) => readAgentGroup(tx, id),
      });
      return reply.status(status).send(body);
    },
  );
}
