import type {
  DecisionRefusal,
  ProposalStatus,
  ProposalType,
} from '../../../../src/contracts/proposal';
import { Problem } from '../../api/http';

/** What each decision does to the world, before it is made. */
export const EFFECTS: Record<ProposalType, { approve: string; reject: string }> = {
  config_fix: {
    approve:
      'The fix goes to its runtime, which changes its configuration and says so. From then on the step is watched: three successes prove the fix, a failure brings it back here.',
    reject: 'Nothing changes. The failures behind it count for no other fix; the step begins anew.',
  },
  promotion: {
    approve: 'The card belongs to the wider scope at once, and everybody in it sees it.',
    reject: 'The card stays where it is.',
  },
  contradiction: {
    approve:
      'The side that you keep is validated. The other one is rejected and never recalled again, and what was made of it is taken back.',
    reject:
      'Both may stand. The conflict between them is removed, and nobody is asked about this pair again.',
  },
  skill: {
    approve: 'The procedure is kept as a skill, for those who may read its evidence.',
    reject: 'No skill is kept. It is not proposed again for the same evidence.',
  },
  fact: {
    approve: 'It is remembered as a card, for those who may read its evidence.',
    reject: 'Nothing is remembered. It is not proposed again for the same evidence.',
  },
  link: {
    approve: 'The two cards are linked, which recall makes use of.',
    reject: 'No link is drawn. It is not proposed again for the same evidence.',
  },
  merge: {
    approve:
      'One card stays, and has what the others proved. The others are superseded by it: kept, but not recalled.',
    reject: 'All of them stay as they are.',
  },
  archive: {
    approve:
      'The cards go into the archive: kept, not recalled. One that was changed or used meanwhile stays; a person can bring each of them back.',
    reject: 'All of them stay in use.',
  },
};

/** How a proposal that nobody decides any more came to that. */
export const OUTCOMES: Record<ProposalStatus, string> = {
  open: 'It waits for a decision.',
  reopened: 'The fix did not hold: it waits for a decision once more.',
  approved: 'Approved. Its runtime has yet to apply it.',
  applied: 'Approved, and in force.',
  proven: 'Approved, applied, and proven by what happened since.',
  rejected: 'Rejected. Nothing was changed.',
  expired: 'Nobody decided in time. Nothing was changed.',
  lapsed: 'It lapsed: what it was about is no longer as it was, or nothing was heard of it.',
};

const REFUSALS: Partial<Record<DecisionRefusal | 'decision_unheard', string>> = {
  already_decided: 'Decided meanwhile',
  stale_version: 'It changed while you looked',
  world_changed: 'The world moved on',
  expired: 'Too late',
  not_allowed: 'Not you',
  key_taken: 'Another card is in the way',
  decision_unheard: 'Nobody answered in time',
};

/** Said plainly; what follows are the server's words. */
export function refusalTitle(error: Error): string {
  const code = error instanceof Problem ? error.code : '';
  return REFUSALS[code as DecisionRefusal] ?? 'Not done';
}
