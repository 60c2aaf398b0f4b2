import type { DropReason } from '../../../../src/contracts/recall';

/** Factors of a score, in the order in which they multiply; the arms come first. */
export const TERM_WORDS: ReadonlyArray<readonly [name: string, label: string, says: string]> = [
  [
    'z_dense',
    'meaning',
    'How near the card’s vector is to the question’s, beside the others found',
  ],
  ['z_dense_context', 'meaning, in context', 'The same with the card’s task and neighbours'],
  ['z_lexical', 'words', 'BM25 over the card’s words'],
  ['z_lexical_context', 'words, in context', 'The same with the card’s task and neighbours'],
  ['z_graph', 'graph', 'Reached over edges and shared entities from what was found'],
  ['z_neighbour', 'neighbours', 'What stands right before and after it scored'],
  ['z_episode', 'episode', 'What came of the same piece of work scored'],
  ['z_substance', 'substance', 'Whether it answers or only mentions'],
  ['z_recency', 'age in the question', 'What the question says of time'],
  ['relevance', 'relevance', 'All arms above in one number'],
  ['intent', '× intent', 'Warnings weigh more for who is about to act'],
  ['uses', '× proven uses', '1 + 0.15 · ln(1 + proven uses)'],
  ['recency', '× recency', 'Fades with days since it was touched, down to 0.3'],
  ['sign', '× sign', 'Failures 1.1 when acting, successes 1.05'],
  ['importance', '× importance', '0.5 + importance / 20; not scored counts as 5'],
  ['confidence', '× confidence', 'Of the card'],
  ['trust', '× trust', 'Person and runtime 1, agent 0.9, web 0.6'],
  ['contradiction', '× contradiction', 'Halved on both ends of an open one'],
];

export const DROP_WORDS: Record<DropReason, string> = {
  not_relevant: 'not near enough to the question',
  policy: 'a rule of the policy leaves it out',
  conflict: 'lost a contradiction',
  open_contradiction: 'one side of a contradiction that a person has to settle',
  derived_from_loser: 'came of a card that lost a contradiction',
  outdated_value: 'speaks of a value that works no longer',
  folded: 'says the same as a card that is shown',
  older_lesson: 'an older state of the same lesson',
  limit: 'more cards than were asked for',
  budget: 'no room in the tokens',
};
