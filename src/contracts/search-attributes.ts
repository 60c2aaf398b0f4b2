/**
 * Ids and states only: search attributes are not encrypted and outlive an erasure.
 * The type names are Temporal's.
 */
export const SEARCH_ATTRIBUTES = {
  workspace: { name: 'CairnWorkspace', type: 'KEYWORD' },
  disposition: { name: 'CairnDisposition', type: 'KEYWORD' },
  kind: { name: 'CairnKind', type: 'KEYWORD' },
  /** Who wrote the card: `fallback` also where no model is configured. */
  distilledBy: { name: 'CairnDistilledBy', type: 'KEYWORD' },
  /** What the language model did: one of `MODEL_OUTCOMES`. */
  model: { name: 'CairnModel', type: 'KEYWORD' },
  /** Of captures that did not go straight through: one of `STUCK`. */
  stuck: { name: 'CairnStuck', type: 'KEYWORD' },
  /** Of proposals: what is to be decided, and how it stands. */
  proposal: { name: 'CairnProposal', type: 'KEYWORD' },
  proposalStatus: { name: 'CairnProposalStatus', type: 'KEYWORD' },
} as const;

/**
 * `restarted`: its first workflow was terminated or lost, and the sweep, or the event reported once more,
 * started this one. `retrying`: its short steps failed, and it goes on by regular activities, which wait
 * for the database; set by the capture itself. `recovered`: they did, and it went on.
 */
export const STUCK = {
  restarted: 'restarted',
  retrying: 'retrying',
  recovered: 'recovered',
} as const;

/**
 * `none`: no model was asked, because none is configured or the event was not admitted. `answered`: it
 * left a draft. `fell_back`: it gave none in its tries, so the stand-in took its place. `unanswered`: the
 * capture was cut short while it was asked.
 */
export const MODEL_OUTCOMES = ['none', 'answered', 'fell_back', 'unanswered'] as const;
export type ModelOutcome = (typeof MODEL_OUTCOMES)[number];
