import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { mergePolicy } from '../../domain/policy';
import { patchOf, policyAnswerSchema, putPolicySchema } from '../../schemas/policy';
import { policyPreviewSchema } from '../../schemas/policy-preview';
import { writeAudit } from '../../store/audit';
import type { Tx } from '../../store/database';
import { insertPolicy, readPolicy } from '../../store/policies';
import type { ApiDependencies, App } from '../app';
import { writeOnce } from '../idempotency';
import { directoryOf } from '../listing';
import { applyPatch, checkLabels } from '../policy-change';
import { previewOf, refusedCandidate } from '../policy-preview';
import { badRequest, Problem } from '../problem';

type Answer = z.output<typeof policyAnswerSchema>;

export function policyRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/policy',
    {
      schema: {
        summary: 'The policy with every default filled in; its version is the ETag',
        tags: ['policy'],
        response: { 200: policyAnswerSchema },
      },
    },
    async (request, reply) => {
      const { workspace } = request.caller.context;
      const answer = await deps.database.inWorkspace(workspace, readAnswer);
      return reply.header('etag', `"${answer.version}"`).send(answer);
    },
  );

  app.put(
    '/v1/policy',
    {
      schema: {
        summary: 'Change any part of the policy; needs If-Match with the version that was read',
        tags: ['policy'],
        body: putPolicySchema,
        response: { 200: policyAnswerSchema },
      },
    },
    async (request, reply) => {
      const expected = expectedVersion(request);
      const { version, ...fields } = request.body;
      if (version !== undefined && version !== expected) throw stale();
      const patch = checkLabels(patchOf(fields), directoryOf(deps, request));
      const answer = await writeOnce(request, deps, {
        perform: async (tx) => {
          const before = await readPolicy(tx);
          if (before.version !== expected) throw stale();
          const { document, stored, changed } = applyPatch(before.document, patch);
          if (changed.length === 0) {
            const body: Answer = { ...document, version: expected };
            return { status: 200, reference: { version: expected }, body };
          }
          const now = deps.clock();
          if (!(await insertPolicy(tx, expected, stored, now))) throw stale();
          await writeAudit(tx, {
            at: now,
            actor: request.caller.context.principal,
            action: 'policy.changed',
            target: { type: 'policy', id: tx.workspace },
            changed: topLevel(changed.map(({ path }) => path)),
            versions: [expected, expected + 1],
            channel: 'api',
          });
          const body: Answer = { ...document, version: expected + 1 };
          return { status: 200, reference: { version: expected + 1 }, body };
        },
        rebuild: readAnswer,
      });
      const body = answer.body as Answer;
      return reply.header('etag', `"${body.version}"`).send(body);
    },
  );

  app.post(
    '/v1/policy/preview',
    {
      schema: {
        summary: 'What a change of the policy would change, without changing it',
        description:
          'Says what is wrong with a candidate that is not valid, all of it at once, instead of refusing it. ' +
          '`effects` counts what a valid one would have done with what is stored of the last 30 days, within ' +
          'bounds, for the parts that it changes. Nothing of that happens when it is put: a policy holds for ' +
          'what comes after.',
        tags: ['policy'],
        body: putPolicySchema,
        response: { 200: policyPreviewSchema },
      },
      attachValidation: true,
    },
    async (request) => {
      if (request.validationError !== undefined) return refusedCandidate(request.validationError);
      const { version: _version, ...fields } = request.body;
      const patch = checkLabels(patchOf(fields), directoryOf(deps, request));
      return await previewOf(deps, request.caller, patch);
    },
  );
}

async function readAnswer(tx: Tx): Promise<Answer> {
  const { version, document } = await readPolicy(tx);
  return { ...mergePolicy(document), version };
}

/** @throws Problem 428 without If-Match. */
function expectedVersion(request: FastifyRequest): number {
  const header = request.headers['if-match'];
  if (header === undefined) {
    throw new Problem(
      428,
      'precondition_required',
      'send If-Match: "<version>" with the version that GET shows, so that no change is overwritten',
    );
  }
  const version = /^(?:W\/)?"(\d{1,9})"$/.exec(header.trim())?.[1];
  if (version === undefined) throw badRequest('If-Match is a version in quotes, such as "3"');
  return Number(version);
}

function stale(): Problem {
  return new Problem(
    412,
    'stale_version',
    'the policy was changed meanwhile; read it again and send the change with its new version',
  );
}

/** Deeper names may be the caller's own, and the audit holds none of those. */
function topLevel(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('.')[0] ?? path))];
}
