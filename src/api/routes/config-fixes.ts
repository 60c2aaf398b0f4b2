import type { ConfigFix } from '../../contracts/proposal';
import { idParams, pageSchema } from '../../schemas/listing';
import { configFixListQuery, configFixSchema, fixAppliedSchema } from '../../schemas/proposal';
import { markFixApplied } from '../../store/config-fixes-applied';
import { listConfigFixes, readConfigFix } from '../../store/config-fixes-read';
import type { ApiDependencies, App } from '../app';
import { fitRemark } from '../card-content';
import { writeOnce } from '../idempotency';
import { keptField, oneOf } from '../listing';
import { BY_TIME, pageOf, positionIn } from '../paging';
import { notFound, Problem } from '../problem';

/** The runtime's side of an approved configuration fix. */
export function configFixRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/config-fixes',
    {
      schema: {
        summary: 'Fixes that people approved, the last approved first',
        description:
          'What a runtime has to apply is `status=approved`. `fix` says in words what to change; a person has ' +
          'read and approved them. `status` may be given more than once.',
        tags: ['config fixes'],
        querystring: configFixListQuery,
        response: { 200: pageSchema(configFixSchema) },
      },
    },
    async (request) => {
      const { limit, cursor, status, team, workflow, step } = request.query;
      const after = positionIn(cursor, BY_TIME);
      const filter = {
        status: status ?? null,
        team: team ?? null,
        workflow: workflow ?? null,
        step: step ?? null,
      };
      const { workspace } = request.caller.context;
      const { rows, total } = await deps.database.inWorkspace(workspace, (tx) =>
        listConfigFixes(tx, filter, { after, limit }),
      );
      return pageOf(rows, limit, (row) => [row.approved_at, row.id], total);
    },
  );

  app.get(
    '/v1/config-fixes/:id',
    {
      schema: {
        summary: 'One fix, by its own id or by that of its proposal, whose newest fix is meant',
        tags: ['config fixes'],
        params: idParams,
        response: { 200: configFixSchema },
      },
    },
    (request) =>
      oneOf(deps, request, 'configuration fix', (tx) => readConfigFix(tx, request.params.id)),
  );

  app.post(
    '/v1/config-fixes/:id/applied',
    {
      schema: {
        summary:
          'Say that an approved fix is in the configuration; its step is watched from now on',
        description:
          'By its own id or by that of its proposal. Again with the same `config_version`, or without one, ' +
          'answers with the fix as it is. 409 `not_waiting`: applied in another version, proven, reopened or ' +
          'lapsed.',
        tags: ['config fixes'],
        params: idParams,
        body: fixAppliedSchema,
        response: { 200: configFixSchema },
      },
    },
    async (request) => {
      const { caller } = request;
      const { workspace, principal } = caller.context;
      const { id } = request.params;
      const note = await fitRemark(deps, caller, request.body?.note);
      const checked = (label: string) => deps.pseudonyms.label(workspace, label);
      const configVersion =
        keptField(request.body?.config_version, checked, '/config_version') ?? null;
      const read = async (tx: Parameters<typeof readConfigFix>[0]): Promise<ConfigFix> => {
        const fix = await readConfigFix(tx, id);
        if (fix === null) throw notFound('configuration fix');
        return fix;
      };
      const { body } = await writeOnce(request, deps, {
        perform: async (tx) => {
          const applied = await markFixApplied(tx, {
            id,
            configVersion,
            note,
            at: deps.clock(),
            actor: principal,
            channel: caller.channel,
          });
          if (applied === null) throw notFound('configuration fix');
          if (applied === 'closed') throw await notWaiting(read(tx));
          return { status: 200, reference: { id }, body: await read(tx) };
        },
        rebuild: read,
      });
      deps.pokeOutbox();
      return body as ConfigFix;
    },
  );
}

async function notWaiting(reading: Promise<ConfigFix>): Promise<Problem> {
  const { status, config_version } = await reading;
  const detail =
    status === 'applied'
      ? 'this fix was applied already, in another version of the configuration'
      : `this fix is ${status}; nobody waits for it to be applied`;
  return new Problem(409, 'not_waiting', detail, { config_fix: { status, config_version } });
}
