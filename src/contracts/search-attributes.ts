/**
 * Ids and states only: search attributes are not encrypted and outlive an erasure.
 * The type names are Temporal's.
 */
export const SEARCH_ATTRIBUTES = {
  workspace: { name: 'CairnWorkspace', type: 'KEYWORD' },
  disposition: { name: 'CairnDisposition', type: 'KEYWORD' },
  kind: { name: 'CairnKind', type: 'KEYWORD' },
  distilledBy: { name: 'CairnDistilledBy', type: 'KEYWORD' },
  /** Of captures that did not go straight through: one of `STUCK`. */
  stuck: { name: 'CairnStuck', type: 'KEYWORD' },
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
