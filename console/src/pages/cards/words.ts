import type { EdgeType, Via, Visibility } from '../../../../src/contracts/names';

/** The closed words of the API as one says them. */

/** A scope stands in its parameter as `team/support`. */
export function wordOf(filter: string, value: string): string {
  if (filter === 'scope') {
    const at = value.indexOf('/');
    const type = value.slice(0, at);
    return type === 'workspace' ? 'the workspace' : `${type} ${value.slice(at + 1)}`;
  }
  return filter === 'kind' ? value.replaceAll('_', ' ') : value;
}

export const VIA_WORDS: Record<Via, string> = {
  own: 'It is its own card',
  team: 'It is a card of its team',
  workspace: 'It is a card of the workspace',
  ancestor: 'It is a card of an agent above it in the spawn tree',
  predecessor: 'It took over from the agent whose card it is',
  explicit: 'The card was shared with it',
  agent_group: 'The card was shared with a group it is in',
  household: 'By household',
  organization: 'By organization',
  person: 'A person, who sees every card',
};

export const VISIBILITY_WORDS: Record<Visibility, string> = {
  private: 'Private: its scope, and whoever it is shared with',
  household: 'Household: agents that act for the subject’s household too',
  organization: 'Organization: every agent of the workspace',
};

/** From this card to the other, and from the other to this one. */
export const EDGE_WORDS: Record<EdgeType, { title: string; out: string; in: string }> = {
  conflicts: { title: 'Conflicts', out: 'contradicts', in: 'is contradicted by' },
  constrains: { title: 'Warnings', out: 'constrains', in: 'is constrained by' },
  satisfies: { title: 'Resolved warnings', out: 'resolves', in: 'is resolved by' },
  supports: { title: 'Support', out: 'supports', in: 'is supported by' },
  supersedes: { title: 'Replacement', out: 'takes the place of', in: 'was replaced by' },
  derived_from: { title: 'Derivation', out: 'was made from', in: 'led to' },
};
