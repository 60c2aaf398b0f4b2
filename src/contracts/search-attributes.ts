/**
 * Ids and states only: search attributes are not encrypted and outlive an erasure.
 * The type names are Temporal's.
 */
export const SEARCH_ATTRIBUTES = {
  workspace: { name: 'CairnWorkspace', type: 'KEYWORD' },
  disposition: { name: 'CairnDisposition', type: 'KEYWORD' },
  kind: { name: 'CairnKind', type: 'KEYWORD' },
  distilledBy: { name: 'CairnDistilledBy', type: 'KEYWORD' },
} as const;
