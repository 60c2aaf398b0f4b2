import { z } from 'zod';
import { SCHEDULED_PASSES } from '../../contracts/passes';
import { idParams } from '../../schemas/listing';
import {
  askedPassSchema,
  passBody,
  rescanBody,
  runSchema,
  runUndoneSchema,
} from '../../schemas/run';
import type { ApiDependencies, App } from '../app';
import { askedRescan } from '../rescan-asking';
import { askedPass } from '../run-asking';
import { orderedRun, undoneRun } from '../run-control';

const ORDERS = [
  ['pause', 'Have a pass wait: what it has in hand it finishes, and begins nothing further'],
  ['resume', 'Have a paused pass go on'],
  ['cancel', 'End a pass; what it did by then stays, and can be undone'],
] as const;

/** Passes that are asked for, told something, and taken back. */
export function runControlRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/runs/:type',
    {
      schema: {
        summary: 'Start a pass now, over the workspace or one scope of it',
        description:
          'A second one of the same day gets a number of its own. With `dry_run` nothing is changed: the run ' +
          'then shows what would be.',
        tags: ['runs'],
        params: z.object({ type: z.enum(SCHEDULED_PASSES) }),
        body: passBody,
        response: { 202: askedPassSchema },
      },
    },
    async (request, reply) => {
      const asked = await askedPass(deps, request, request.params.type, request.body);
      return reply.status(202).send(asked);
    },
  );

  app.post(
    '/v1/runs/rescan',
    {
      schema: {
        summary: 'Redact everything durable as it would be redacted today',
        description:
          'Goes through events, cards and all their versions, notes, skills, insights, conversations, reasons, ' +
          'proposals and drafts: it looks, repairs what it found, and looks again. With `dry_run` it only looks: the ' +
          "run's `result.places` then says how often each type was found where, and no content. Started by itself " +
          'when detectors, marked names or the policy come to redact more.',
        tags: ['runs'],
        body: rescanBody,
        response: { 202: askedPassSchema },
      },
    },
    async (request, reply) =>
      reply.status(202).send(await askedRescan(deps, request, request.body)),
  );

  for (const [order, summary] of ORDERS) {
    app.post(
      `/v1/runs/:id/${order}`,
      { schema: { summary, tags: ['runs'], params: idParams, response: { 202: runSchema } } },
      async (request, reply) =>
        reply.status(202).send(await orderedRun(deps, request, request.params.id, order)),
    );
  }

  app.post(
    '/v1/runs/:id/undo',
    {
      schema: {
        summary: 'Take back what a pass and its units did, where nothing else has changed it since',
        description:
          'What stays as it is, is named. Asked again it answers the same; a 202 says that it took too long ' +
          'for one request: ask again, and it goes on.',
        tags: ['runs'],
        params: idParams,
        response: { 200: runUndoneSchema, 202: runUndoneSchema },
      },
    },
    async (request, reply) => {
      const undone = await undoneRun(deps, request, request.params.id);
      return reply.status(undone.done ? 200 : 202).send(undone);
    },
  );
}
