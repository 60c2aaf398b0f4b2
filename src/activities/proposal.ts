import type { Clock } from '../contracts/clock';
import type {
  DecisionOutcome,
  DecisionStep,
  FixState,
  FixStep,
  ProposalBegun,
  ProposalInput,
  ProposalRound,
  ReminderStep,
} from '../contracts/proposal-messages';
import { lapseFix, watchFix } from '../store/config-fixes';
import type { Database, Tx } from '../store/database';
import { decideProposal } from '../store/proposal-deciding';
import { beginProposal, expireProposal, openProposal, remindProposal } from '../store/proposals';
import { executionOf } from './execution';
import { permanent } from './failure';

export interface ProposalDependencies {
  database: Database;
  clock: Clock;
  /** A model is configured: it words a fix before anybody sees it. */
  hasModel: boolean;
}

/** Each is one transaction, and done again changes nothing; `at` is workflow time, RFC 3339. */
export interface ProposalActivities {
  beginProposal(input: ProposalInput & { at: string }): Promise<ProposalBegun>;
  /** Says that it waits, to whoever listens. */
  openProposal(input: ProposalInput & { at: string }): Promise<ProposalRound>;
  /** @returns `sent` true too for a try after the one that sent it; false where it was decided meanwhile */
  remindProposal(input: ReminderStep): Promise<{ sent: boolean }>;
  /** Takes the decision and applies it, or records why it changes nothing. */
  decideProposal(input: DecisionStep): Promise<DecisionOutcome>;
  expireProposal(input: ProposalInput & { version: number; at: string }): Promise<ProposalRound>;
  /** Looks at a fix: proven, reopened, or as before. */
  watchFix(input: FixStep & { at: string }): Promise<FixState>;
  /** Nothing was heard of it for too long. */
  lapseFix(input: FixStep & { at: string }): Promise<FixState>;
}

export function createProposalActivities(deps: ProposalDependencies): ProposalActivities {
  const { database, hasModel } = deps;

  const inOne = async <T>(
    { workspace }: ProposalInput,
    work: (tx: Tx) => Promise<T | null>,
  ): Promise<T> => {
    const result = await database.inWorkspace(workspace, work);
    if (result === null) throw permanent('proposal_missing');
    return result;
  };

  return {
    beginProposal: (input) =>
      inOne(input, (tx) =>
        beginProposal(tx, {
          id: input.proposal_id,
          at: new Date(input.at),
          hasModel,
          ...executionOf(),
        }),
      ),
    openProposal: (input) =>
      inOne(input, (tx) => openProposal(tx, input.proposal_id, new Date(input.at))),
    remindProposal: (input) =>
      inOne(input, (tx) =>
        remindProposal(tx, {
          id: input.proposal_id,
          version: input.version,
          due: new Date(input.due),
          at: new Date(input.at),
        }),
      ),
    decideProposal: (input) =>
      inOne(input, (tx) =>
        decideProposal(tx, {
          id: input.proposal_id,
          decisionId: input.decision_id,
          request: input.request,
          at: new Date(input.heard_at),
          workflowId: executionOf().workflowId,
        }),
      ),
    expireProposal: (input) =>
      inOne(input, (tx) =>
        expireProposal(tx, {
          id: input.proposal_id,
          version: input.version,
          at: new Date(input.at),
          workflowId: executionOf().workflowId,
        }),
      ),
    watchFix: (input) => inOne(input, (tx) => watchFix(tx, fixOf(input))),
    lapseFix: (input) => inOne(input, (tx) => lapseFix(tx, fixOf(input))),
  };

  function fixOf(input: FixStep & { at: string }) {
    const { workflowId } = executionOf();
    return { id: input.proposal_id, fixId: input.fix_id, at: new Date(input.at), workflowId };
  }
}
