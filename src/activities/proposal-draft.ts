import type { ConfigFixChange } from '../contracts/proposal';
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
   * Puts a model's words for a fix in the place of the template's, unless it was decided or came in another
   * version meanwhile. Fails with a code of `src/contracts/failures.ts`.
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
        const [fix, settings] = [
          await readFixToDraft(tx, proposal_id, version),
          await readSettings(tx),
        ];
        return fix === null || settings === null ? null : { ...fix, settings };
      });
      if (work === null) return { drafted: false };
      const change: ConfigFixChange = work.change;
      const template = { title: work.title, summary: work.summary, fix: change.fix };
      const said = await askModel((signal) =>
        drafter.draft(change, work.warnings, template, signal),
      );
      const redacted = redactorOf(deps.secretKey, workspace, work.settings);
      const words = { summary: redacted(said.summary), fix: redacted(said.fix) };
      const drafted = await database.inWorkspace(workspace, (tx) =>
        saveDraftedFix(tx, { id: proposal_id, version, change, ...words }),
      );
      return { drafted };
    },
  };
}
