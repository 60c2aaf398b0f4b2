import type { CardScope } from '../contracts/card';
import type { ScheduledPass } from '../contracts/passes';
import type { PassBody } from '../schemas/run';
import { findAgents } from '../store/agents';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import { askForPass } from '../store/run-asking';
import { readTeam } from '../store/teams';
import type { ApiDependencies } from './app';
import { type Asked, writeOnce } from './idempotency';
import { badRequest, notFound } from './problem';

/** Passes that look at one scope after the other; the others take the workspace as one. */
const BY_SCOPE: readonly ScheduledPass[] = ['consolidation', 'reflection'];

/**
 * Starts a pass.
 * @returns the id of its operation
 * @throws Problem 404 for a scope that is not there, 400 where the pass goes by no scope
 */
export async function askedPass(
  deps: ApiDependencies,
  request: Asked,
  type: ScheduledPass,
  body: PassBody,
): Promise<{ operation_id: string }> {
  const { principal, workspace } = request.caller.context;
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const now = deps.clock();
      const scope = body.scope === undefined ? null : named(deps, workspace, body.scope);
      if (scope !== null) await requireScope(tx, type, scope);
      const operation_id = await askForPass(
        tx,
        {
          type,
          scope: scope?.type === 'workspace' && !BY_SCOPE.includes(type) ? null : scope,
          dryRun: body.dry_run,
          budget: body.budget === undefined ? null : present(body.budget),
          by: principal.id,
        },
        now,
      );
      await writeAudit(tx, {
        at: now,
        actor: principal,
        action: 'run.asked',
        target: { type: 'run', id: operation_id },
        changed: [type, ...(body.dry_run ? ['dry_run'] : [])],
        channel: request.caller.channel,
      });
      const reference = { operation_id };
      return { status: 202, reference, body: reference };
    },
    rebuild: async (_tx, reference) => reference,
  });
  deps.pokeOutbox();
  return answer.body as { operation_id: string };
}

/** An agent is known by its pseudonym where its id would name a person. */
function named({ pseudonyms }: ApiDependencies, workspace: string, scope: CardScope): CardScope {
  return scope.type === 'agent' ? { ...scope, id: pseudonyms.of(workspace, scope.id) } : scope;
}

async function requireScope(tx: Tx, type: ScheduledPass, scope: CardScope): Promise<void> {
  if (!BY_SCOPE.includes(type) && scope.type !== 'workspace') {
    throw badRequest(`scope: ${type} takes the whole workspace; leave the scope out`, '/scope');
  }
  if (!(await isKnown(tx, scope))) throw notFound(scope.type);
}

async function isKnown(tx: Tx, { type, id }: CardScope): Promise<boolean> {
  switch (type) {
    case 'agent':
      return (await findAgents(tx, [id])).has(id);
    case 'team':
      return (await readTeam(tx, id)) !== null;
    case 'workspace':
      return id === tx.workspace;
    default:
      return type satisfies never;
  }
}

/** Bounds that were left out are no bounds, and not undefined ones. */
function present(budget: NonNullable<PassBody['budget']>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(budget).filter((bound): bound is [string, number] => bound[1] !== undefined),
  );
}
