import { type Source, type SourceName, sourceNamed } from '../../contracts/source';
import type { Directory } from '../../intake/directory';
import { labelSchema } from '../../schemas/event';
import { pageSchema } from '../../schemas/listing';
import { putSourceSchema, sourceListQuery, sourceParams, sourceSchema } from '../../schemas/source';
import { writeAudit } from '../../store/audit';
import { keepReason } from '../../store/card-edits';
import type { Tx } from '../../store/database';
import { newId } from '../../store/ids';
import { listSources, readSource, switchSource } from '../../store/sources';
import type { ApiDependencies, App } from '../app';
import { fitRemark } from '../card-content';
import { type Asked, writeOnce } from '../idempotency';
import { checkedId, directoryOf, kept, oneOf, pageById } from '../listing';
import { badRequest, notFound } from '../problem';

/** Stopping what brings memory in: a runtime, an agent, a service; at once, and until it is lifted. */
export function sourceRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/sources',
    {
      schema: {
        summary: 'Sources that were ever stopped, by id; `stopped=true` those that are',
        tags: ['stops'],
        querystring: sourceListQuery,
        response: { 200: pageSchema(sourceSchema) },
      },
    },
    (request) => {
      const { kind = null, stopped = null } = request.query;
      return pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) =>
          listSources(tx, { kind, stopped }, page),
        ),
      );
    },
  );

  app.get(
    '/v1/sources/:id',
    {
      schema: {
        summary: 'One source; 404 where it was never stopped',
        tags: ['stops'],
        params: sourceParams,
        response: { 200: sourceSchema },
      },
    },
    (request) => {
      const { workspace } = request.caller.context;
      const { kind, name } = sourceOf(request.params.id);
      const known = kind === 'agent' ? deps.pseudonyms.of(workspace, name) : name;
      return oneOf(deps, request, 'source', (tx) => readSource(tx, { kind, name: known }));
    },
  );

  app.put(
    '/v1/sources/:id',
    {
      schema: {
        summary: 'Stop a source, or lift that; it holds from the next request on',
        description:
          '`runtime:<id>` is what that key reports and writes, `agent:<id>` all that is reported of that agent ' +
          'and written by it (its `writes_stopped`), `service:<name>` what is reported and written about that ' +
          'service. New events are refused as `stopped`; of those that were accepted and have no card yet the ' +
          'operation ends as `quarantined` with the reason `stopped`. Cards that are there stay: ' +
          '`POST /v1/cards/{id}/stop` takes them away.',
        tags: ['stops'],
        params: sourceParams,
        body: putSourceSchema,
        response: { 200: sourceSchema },
      },
    },
    async (request) => {
      const source = checkedSource(request.params.id, directoryOf(deps, request));
      const { stopped } = request.body;
      const reason = await fitRemark(deps, request.caller, request.body.reason);
      const { body } = await writeOnce(request, deps, {
        perform: async (tx) => {
          await turn(tx, request, source, { stopped, reason, at: deps.clock() });
          return {
            status: 200,
            reference: { id: request.params.id },
            body: await shown(tx, source),
          };
        },
        rebuild: (tx) => shown(tx, source),
      });
      return body as Source;
    },
  );
}

async function turn(
  tx: Tx,
  { caller }: Pick<Asked, 'caller'>,
  source: SourceName,
  { stopped, reason, at }: { stopped: boolean; reason: string | null; at: Date },
): Promise<void> {
  const reasonId = reason === null ? null : newId('reason', at);
  const changed = await switchSource(tx, source, { stopped, reasonId, at });
  if (changed === null) throw notFound('agent');
  if (!changed) return;
  if (reasonId !== null && reason !== null) await keepReason(tx, reasonId, reason, at);
  await writeAudit(tx, {
    at,
    actor: caller.context.principal,
    action: `source.${stopped ? 'stopped' : 'lifted'}`,
    target: { type: source.kind, id: source.name },
    changed: [source.kind === 'agent' ? 'writes_stopped' : 'stopped'],
    reasonId,
    channel: caller.channel,
  });
}

async function shown(tx: Tx, source: SourceName): Promise<Source> {
  const found = await readSource(tx, source);
  if (found === null) throw notFound('source');
  return found;
}

function sourceOf(id: string): SourceName {
  const source = sourceNamed(id);
  if (source === null || !labelSchema.safeParse(source.name).success) {
    throw badRequest(
      'id: must be runtime:<id>, agent:<id> or service:<name>, such as service:browser',
      '/id',
    );
  }
  return source;
}

/** Fit to be kept: an agent that is a contact under its pseudonym, and no other name with a contact in it. */
function checkedSource(id: string, directory: Directory): SourceName {
  const { kind, name } = sourceOf(id);
  const named = (value: string) => directory.namedId(value);
  const plain = (value: string) => directory.plainId(value);
  if (kind === 'service') return { kind, name: kept(() => plain(name), '/id') };
  return { kind, name: checkedId(name, kind === 'agent' ? named : plain) };
}
