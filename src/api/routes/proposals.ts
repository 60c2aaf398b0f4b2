import { idParams, pageSchema } from '../../schemas/listing';
import {
  decisionSchema,
  proposalDetailSchema,
  proposalListQuery,
  proposalSchema,
} from '../../schemas/proposal';
import { listProposals } from '../../store/proposals-read';
import { visibleAmong } from '../../store/visible-cards';
import type { ApiDependencies, App } from '../app';
import { oneOf } from '../listing';
import { BY_TIME, pageOf, positionIn } from '../paging';
import { decideProposal } from '../proposal-decision';
import { evidenceReaderOf, proposalFor, proposalReaderOf, proposalsFor } from '../proposal-view';

/** What waits for a person, and what became of it. */
export function proposalRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/proposals',
    {
      schema: {
        summary: 'What waits for a person and what was decided, newest first',
        description:
          'People of the staff see all, an agent or a runtime what it proposed itself, a runtime every ' +
          'configuration fix too. `evidence` holds the cards that the caller sees now; `summary` is null, and ' +
          '`change` without words and cards, where people see none of them and others not all. `status` and ' +
          '`type` may be given more than once; `card` keeps proposals with this card in evidence.',
        tags: ['proposals'],
        querystring: proposalListQuery,
        response: { 200: pageSchema(proposalSchema) },
      },
    },
    async (request) => {
      const { caller } = request;
      const { limit, cursor, status = null, type = null, team = null, card = null } = request.query;
      const after = positionIn(cursor, BY_TIME);
      return await deps.database.inWorkspace(caller.context.workspace, async (tx) => {
        const reader = evidenceReaderOf(deps, caller);
        if (card !== null && !(await visibleAmong(tx, reader, [card])).has(card)) {
          return { items: [], next_cursor: null, total: 0 };
        }
        const filter = { status, type, team, card };
        const page = { after, limit };
        const { rows, total } = await listProposals(tx, proposalReaderOf(caller), filter, page);
        const { items, ...rest } = pageOf(rows, limit, (row) => [row.created_at, row.id], total);
        return { ...rest, items: await proposalsFor(tx, deps, caller, items) };
      });
    },
  );

  app.get(
    '/v1/proposals/:id',
    {
      schema: {
        summary: 'One proposal, with the cards behind it that the caller sees',
        tags: ['proposals'],
        params: idParams,
        response: { 200: proposalDetailSchema },
      },
    },
    (request) =>
      oneOf(deps, request, 'proposal', (tx) =>
        proposalFor(tx, deps, request.caller, request.params.id),
      ),
  );

  app.post(
    '/v1/proposals/:id/decision',
    {
      schema: {
        summary: 'Approve or reject, in the version that was looked at',
        description:
          '403 `not_allowed`: no owner or reviewer, or the proposer. 409 `already_decided`, `stale_version`, ' +
          '`world_changed` (what it would change has changed: there is a new version, or it lapsed) or ' +
          '`key_taken`. 410 `expired`. 503 `decision_unheard`: it may have been taken, and asking again is ' +
          'safe. `winner` names the side of a contradiction to keep; without it the suggested one is kept.',
        tags: ['proposals'],
        params: idParams,
        body: decisionSchema,
        response: { 200: proposalDetailSchema },
      },
    },
    (request) => decideProposal(deps, request, request.params.id, request.body),
  );
}
