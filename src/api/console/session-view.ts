import type { ConsoleSession } from '../../contracts/console';
import { mergePolicy } from '../../domain/policy';
import { readKey } from '../../store/api-keys';
import { readPerson } from '../../store/people';
import { readWorkspace } from '../../store/workspaces';
import { packageVersion } from '../../telemetry/version';
import type { ApiDependencies } from '../app';
import type { Caller } from '../authentication';
import { ROUTE_RULES, refusalOf } from '../roles';
import { csrfOf } from './csrf';

/** Who the caller is, what they may do, and what a page has to know to begin with. */
export async function sessionView(deps: ApiDependencies, caller: Caller): Promise<ConsoleSession> {
  const { workspace, principal } = caller.context;
  const { kind, id, role, bootstrap } = principal;
  const read = await deps.database.inWorkspace(workspace, async (tx) => ({
    workspace: await readWorkspace(tx),
    person: kind === 'person' ? await readPerson(tx, id) : null,
    key: await readKey(tx, caller.keyId),
  }));
  const { name, memory_mode } = read.workspace;
  return {
    workspace: { id: workspace, name, memory_mode },
    principal: { kind, id, name: read.person?.name ?? null, role, installation: bootstrap },
    allowed: allowedTo(caller),
    csrf: csrfOf(deps.secretKey, caller),
    expires_at: earlier(caller.consoleSession?.expiresAt ?? null, read.key?.expires_at ?? null),
    temporal: deps.temporal ?? null,
    version: packageVersion(),
    timezone: mergePolicy(caller.policyDocument).consolidation.timezone,
  };
}

function allowedTo(caller: Caller): string[] {
  return Object.entries(ROUTE_RULES)
    .filter(([, rule]) => refusalOf(rule, caller) === null)
    .map(([route]) => route);
}

function earlier(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
