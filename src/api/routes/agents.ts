import type { PrincipalKind } from '../../contracts/names';
import type { Agent } from '../../contracts/principal';
import { idParams, listQuery, pageSchema, textFilter } from '../../schemas/listing';
import { agentSchema, putAgentSchema } from '../../schemas/principals';
import {
  type AgentChange,
  changeAgent,
  fieldsForPeople,
  holdAgent,
  insertAgent,
  isAtOrAbove,
  listAgents,
  readAgent,
} from '../../store/agent-directory';
import { writeAudit } from '../../store/audit';
import type { Tx } from '../../store/database';
import type { Put } from '../../store/directory-change';
import { noteSwitched } from '../../store/sources';
import { ensureTeam, readTeam } from '../../store/teams';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { checkedId, directoryOf, keptField, oneOf, pageById, putOnce } from '../listing';
import { badRequest, notAllowed, notFound } from '../problem';

export function agentRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/agents',
    {
      schema: {
        summary: 'The fleet, by id; an agent sees itself',
        tags: ['principals'],
        querystring: listQuery({ team: textFilter, parent_agent: textFilter }),
        response: { 200: pageSchema(agentSchema) },
      },
    },
    (request) => {
      const { workspace, principal } = request.caller.context;
      const { team = null, parent_agent } = request.query;
      const filter = {
        team,
        parent: parent_agent === undefined ? null : deps.pseudonyms.of(workspace, parent_agent),
        only: principal.kind === 'agent' ? principal.id : null,
      };
      return pageById(request, (page) =>
        deps.database.inWorkspace(workspace, (tx) => listAgents(tx, filter, page)),
      );
    },
  );

  app.get(
    '/v1/agents/:id',
    {
      schema: {
        summary: 'One agent; an agent reads itself',
        tags: ['principals'],
        params: idParams,
        response: { 200: agentSchema },
      },
    },
    (request) => {
      const { workspace, principal } = request.caller.context;
      const id = deps.pseudonyms.of(workspace, request.params.id);
      if (principal.kind === 'agent' && principal.id !== id) throw notFound('agent');
      return oneOf(deps, request, 'agent', (tx) => readAgent(tx, id));
    },
  );

  app.put(
    '/v1/agents/:id',
    {
      schema: {
        summary:
          'Register or change an agent; another team or parent, and whatever widens, is up to people',
        tags: ['principals'],
        params: idParams,
        body: putAgentSchema,
        response: { 200: agentSchema, 201: agentSchema },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const directory = directoryOf(deps, request);
      const named = (value: string) => directory.namedId(value);
      const plain = (value: string) => directory.plainId(value);
      const id = checkedId(request.params.id, named);
      const change: AgentChange = {
        ...body,
        team: keptField(body.team, plain, '/team'),
        parent_agent: keptField(body.parent_agent, named, '/parent_agent'),
        agent_type: keptField(body.agent_type, plain, '/agent_type'),
        succeeds: keptField(body.succeeds, named, '/succeeds'),
      };
      const { status, body: agent } = await putOnce(deps, request, {
        type: 'agent',
        id,
        put: (tx, now) => putAgent(tx, caller, id, change, now),
        read: (tx) => readAgent(tx, id),
      });
      return reply.status(status).send(agent);
    },
  );
}

async function putAgent(
  tx: Tx,
  caller: Caller,
  id: string,
  change: AgentChange,
  now: Date,
): Promise<Put<Agent>> {
  const { kind } = caller.context.principal;
  const created = await insertAgent(tx, id, kind, now);
  const before = await holdAgent(tx, id);
  if (before === null) throw new Error('an agent vanished while it was registered');
  if (kind !== 'person') {
    // A runtime says where a new agent stands, as its first event would; later that is for people.
    const allowed = created ? ['team', 'parent_agent'] : [];
    const refused = fieldsForPeople(before, change).filter((field) => !allowed.includes(field));
    if (refused.length > 0) {
      throw notAllowed(`a person changes ${refused.join(' and ')} of an agent, not a runtime`);
    }
  }
  await preparePlaces(tx, caller, id, change, now);
  const { resource, changed } = await changeAgent(tx, before, change);
  if (changed.includes('writes_stopped')) {
    await noteSwitched(tx, id, resource.writes_stopped, now);
  }
  return { resource, changed, created };
}

/** A person who names a team that is not there has mistyped it; a runtime's fleet brings its own. */
async function prepareTeam(
  tx: Tx,
  kind: PrincipalKind,
  team: string,
  now: Date,
  note: (action: string, type: string, target: string) => Promise<void>,
): Promise<void> {
  if (kind !== 'person') {
    if (await ensureTeam(tx, team, now)) await note('team.created', 'team', team);
  } else if ((await readTeam(tx, team)) === null) {
    throw badRequest(
      `team: names a team this workspace does not know, ${team}; make it with PUT /v1/teams`,
      '/team',
    );
  }
}

/** Makes what a runtime names for the first time, and the parent, and refuses a circle. */
async function preparePlaces(
  tx: Tx,
  caller: Caller,
  id: string,
  change: AgentChange,
  now: Date,
): Promise<void> {
  const actor = caller.context.principal;
  const note = (action: string, type: string, target: string) =>
    writeAudit(tx, { at: now, actor, action, target: { type, id: target }, channel: 'api' });
  const { team = null, parent_agent: parent = null, succeeds = null } = change;
  if (team !== null) await prepareTeam(tx, actor.kind, team, now, note);
  if (parent !== null) {
    if (await insertAgent(tx, parent, actor.kind, now)) {
      await note('agent.registered', 'agent', parent);
    }
    if (await isAtOrAbove(tx, id, parent)) {
      throw badRequest(
        'parent_agent: the agent would stand above itself; choose one that is not below it',
        '/parent_agent',
      );
    }
  }
  if (succeeds === id) throw badRequest('succeeds: an agent does not succeed itself', '/succeeds');
  if (succeeds !== null && (await readAgent(tx, succeeds)) === null) {
    throw badRequest('succeeds: names an agent this workspace does not know', '/succeeds');
  }
}
