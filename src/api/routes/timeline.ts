import { timelineQuery, timelineSchema } from '../../schemas/timeline';
import type { ApiDependencies, App } from '../app';
import { notAllowed } from '../problem';
import { timelineOf } from '../timeline-view';

export function timelineRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/timeline',
    {
      schema: {
        summary: "What a workflow did and waits for, in words, from Temporal's own history",
        description:
          'Ids as runs, cards and proposals name them. Without `run_id` the run that goes on, or was the last. ' +
          'Steps hold ids and codes, and no content. Temporal keeps a history for some days after its end.',
        tags: ['runs'],
        querystring: timelineQuery,
        response: { 200: timelineSchema },
      },
    },
    async (request) => {
      const { workspace, agent } = request.caller.context;
      if (agent !== null) {
        throw notAllowed('a timeline is not of one agent; leave Cairn-Agent out');
      }
      const { workflow_id: workflowId, run_id: runId = null } = request.query;
      return await timelineOf(deps, workspace, workflowId, runId);
    },
  );
}
