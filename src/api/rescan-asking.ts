import { DETECTORS } from '../intake/redaction-of';
import { writeAudit } from '../store/audit';
import { askForRescan } from '../store/rescans';
import type { ApiDependencies } from './app';
import { type Asked, writeOnce } from './idempotency';

/** Starts a rescan, or one that only looks. @returns the id of its operation */
export async function askedRescan(
  deps: ApiDependencies,
  request: Asked,
  body: { dry_run: boolean } | null | undefined,
): Promise<{ operation_id: string }> {
  const { principal } = request.caller.context;
  const dryRun = body?.dry_run ?? false;
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const now = deps.clock();
      const asked = { dryRun, by: principal.id, detectors: DETECTORS };
      const operation_id = await askForRescan(tx, asked, now);
      await writeAudit(tx, {
        at: now,
        actor: principal,
        action: 'run.asked',
        target: { type: 'run', id: operation_id },
        changed: ['rescan', ...(dryRun ? ['dry_run'] : [])],
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
