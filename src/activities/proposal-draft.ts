import type { ProposalInput } from '../contracts/proposal-messages';
import type { FixDrafter } from '../models/fix-drafter';
import type { Database } from '../store/database';
import { readFixToDraft, saveDraftedFix } from '../store/filing-drafted-fix';
import { readSettings } from '../store/settings';
import { permanent } from './failure';
import { askModel, redactorOf } from './model-calls';

export interface ProposalDraftDependencies {
  database: Database;
  /** Null where no model is configured: then the template's words stand. */
  drafter: FixDrafter | null;
  /** Keys the tokens of a workspace, the same as at intake. */
  secretKey: string;
}

export interface ProposalDraftActivities {
  /**
   * Puts a model's words for a fix in the place of the template's, unless it was decided, came in another version or
   * rests on something else meanwhile. Fails with a code of `src/contracts/failures.ts`.
   */
  draftFix(input: ProposalInput & { version: number }): Promise<{ drafted: boolean }>;
}

/** No transaction is open while the model is asked. */
export function createProposalDraftActivities(
  deps: ProposalDraftDependencies,
): ProposalDraftActivities {
  const { database, drafter } = deps;
  return {
    draftFix: async ({ workspace, proposal_id, version }) => {
      if (drafter === null) throw permanent('model_not_configured');
      const work = await database.inWorkspace(workspace, async (tx) => {
        const read = await readFixToDraft(tx, proposal_id, version);
        const settings = await readSettings(tx);
        return read === null || settings === null ? null : { read, settings };
      });
      if (work === null) return { drafted: false };
      const { title, summary, change, warnings } = work.read;
      const template = { title, summary, fix: change.fix };
      const told = warnings.map((warning) => ({ summary: warning.summary }));
      const said = await askModel((signal) => drafter.draft(change, told, template, signal));
      const redacted = redactorOf(deps.secretKey, workspace, work.settings);
      const words = { summary: redacted(said.summary), fix: redacted(said.fix) };
      const drafted = await database.inWorkspace(workspace, (tx) =>
        saveDraftedFix(tx, { id: proposal_id, version, read: work.read, ...words }),
      );
      return { drafted };
    },
  };
}
