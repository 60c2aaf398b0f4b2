import type { Run, RunDetail, RunDraft } from '../contracts/run';
import { logAccess } from '../store/access-log';
import type { Tx } from '../store/database';
import { listChanges, listDrafts } from '../store/run-changes-read';
import { readResult } from '../store/runs';
import { visibleAmong } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { isPerson, readerOf } from './card-rights';

/** Lines and texts that a run shows with itself. */
const SHOWN = 50;

/**
 * A run with the beginning of what it did. Of texts that a dry run made its reader sees those of which they may see
 * every source; that they did stands in the access log. Whoever reads as an agent, or as a runtime, sees no diff.
 */
export async function runDetail(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  run: Run,
): Promise<RunDetail> {
  const result = await readResult(tx, run.id);
  if (!isPerson(caller) || caller.context.agent !== null) {
    return { ...run, result, diff: [], diff_capped: false, drafts: [] };
  }
  const { rows } = await listChanges(tx, run.id, { after: null, limit: SHOWN });
  return {
    ...run,
    result,
    diff: rows.slice(0, SHOWN),
    diff_capped: rows.length > SHOWN,
    drafts: run.dry_run ? await draftsFor(tx, deps, caller, run.id) : [],
  };
}

async function draftsFor(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  run: string,
): Promise<RunDraft[]> {
  const drafts = await listDrafts(tx, run, SHOWN);
  const sources = [...new Set(drafts.flatMap((draft) => draft.sources))];
  const reader = readerOf(caller, deps.clock);
  const visible = await visibleAmong(tx, reader, sources);
  const shown = drafts.filter(
    (draft) => draft.sources.length > 0 && draft.sources.every((card) => visible.has(card)),
  );
  const seen = [...new Set(shown.flatMap((draft) => draft.sources))];
  if (seen.length > 0) {
    await logAccess(tx, caller.context, {
      surface: 'runs.get',
      at: reader[5],
      cards: seen.map((id) => ({ id, vias: ['person'] })),
    });
  }
  return shown;
}
