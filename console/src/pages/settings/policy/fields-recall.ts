import { CARD_KINDS } from '../../../../../src/contracts/names';
import { choice, count, duration, type Field, share, weight } from './field';

const arm = (label: string, says: string) => weight(label, says);
const favoured = (label: string): Field => ({
  as: 'several',
  label,
  says: 'Kinds that are lifted by the factor of the intent.',
  of: CARD_KINDS,
});

/** What an agent is told, and what ties cards to each other. */
export const RECALL_FIELDS = {
  'recall.profile': choice(
    'Ranking',
    'By what cards are ranked where a query does not say it. The episodic one counts similarity, recency and importance.',
    {
      fleet: 'Fleet: every way, weighed',
      episodic: 'Episodic',
    },
  ),
  'recall.limit': count('Cards in an answer', 'Where a query does not say it.', {
    min: 1,
    max: 50,
    unit: 'cards',
  }),
  'recall.budget_tokens': count('Size of an answer', 'What is packed for the prompt.', {
    min: 1,
    max: 100_000,
    unit: 'tokens',
  }),
  'recall.weights.intent': weight('Intent', 'Factor of the kinds that an intent favours.'),
  'recall.weights.uses': weight('Proven uses', 'Factor before ln(1 + proven uses).'),
  'recall.weights.recency_days': {
    ...weight('Age', 'After so many days, recency has fallen to 1/e.'),
    min: 0.1,
    max: 36_500,
    step: 1,
    unit: 'days',
  },
  'recall.weights.recency_floor': share(
    'Lowest recency',
    'Where age stops counting against a card.',
  ),
  'recall.weights.failed_acting': weight(
    'Failures before acting',
    'Factor of a card that failed where the intent is to act.',
  ),
  'recall.weights.contradiction': share(
    'Open contradiction',
    'Factor on both cards while nobody has chosen between them.',
  ),
  'recall.weights.arms.dense': arm('Meaning', 'How near the words of a card are to the query.'),
  'recall.weights.arms.dense_context': arm(
    'Meaning in context',
    'The same, together with the card before it in its episode.',
  ),
  'recall.weights.arms.lexical': arm('Words', 'Words that the query and the card share.'),
  'recall.weights.arms.lexical_context': arm(
    'Words in context',
    'The same, with the cards before and after it.',
  ),
  'recall.weights.arms.graph': arm('Edges', 'Cards that edges lead to from the best ones.'),
  'recall.weights.arms.structured': arm(
    'Service and operation',
    'Cards of the service and operation that the query names.',
  ),
  'recall.weights.arms.named': arm('Who acts', 'Whoever the query names acts in the card.'),
  'recall.weights.arms.time': arm('Time', 'It held at the time that the query speaks of.'),
  'recall.weights.arms.neighbour': arm(
    'Neighbours',
    'What the cards before and after it are worth.',
  ),
  'recall.weights.arms.episode': arm('Episode', 'What the best cards of its episode are worth.'),
  'recall.weights.arms.substance': arm('Substance', 'How much the card says.'),
  'recall.weights.arms.recency': arm('Newness', 'The newest cards.'),
  'recall.weights.intents.act': favoured('To act'),
  'recall.weights.intents.plan': favoured('To plan'),
  'recall.weights.intents.look_up': favoured('To look up'),
  'recall.weights.signs.worked': weight('Worked', 'Factor of cards that went well.'),
  'recall.weights.signs.failed': weight('Failed', 'Factor of cards that went wrong.'),
  'recall.weights.signs.neutral': weight('Neutral', 'Factor of cards that are neither.'),
  'recall.weights.trust.person': weight('From a person', 'Factor of what a person said.'),
  'recall.weights.trust.runtime': weight('From a runtime', 'Factor of what a runtime told.'),
  'recall.weights.trust.agent': weight('From an agent', 'Factor of what an agent wrote itself.'),
  'recall.weights.trust.web': weight('From the web', 'Factor of what was read from outside.'),
  'recall.weights.episodic.similarity': weight('Similarity', 'Its part in the sum.'),
  'recall.weights.episodic.recency': weight('Recency', 'Its part in the sum.'),
  'recall.weights.episodic.importance': weight('Importance', 'Its part in the sum.'),
  'recall.weights.episodic.decay_per_hour': {
    ...weight('Decay', 'How fast recency falls, an hour.'),
    step: 0.01,
  },

  'resolve.tie': duration(
    'A tie',
    'Two cards that contradict each other and begin to hold within this time: neither counts as newer, and a person chooses.',
  ),

  'link.threshold': share('Lowest confidence', 'An edge below it is not written.'),
  'link.weights.service': weight('Service', 'Its share where both are of one service.'),
  'link.weights.operation': weight('Operation', 'Its share where both are of one operation.'),
  'link.weights.step': weight('Step', 'Its share where both are of one step of a workflow.'),
  'link.weights.task_type': weight('Type of task', 'Its share where both are of one type.'),
  'link.weights.subject': weight('Subject', 'Its share where both are about one subject.'),
  'link.weights.entities': weight('Names', 'Its share for people and things that both name.'),
  'link.weights.error': weight('Error', 'Its share where both met one error.'),
  'link.weights.inputs': weight('Inputs', 'Its share for inputs that are alike.'),
  'link.weights.similarity': weight('Meaning', 'Its share for words that mean the same.'),
  'link.alike.satisfies': share('To satisfy', 'How alike the inputs of a lesson and its fix are.'),
  'link.alike.conflicts': share('To conflict', 'How alike the inputs of a contradiction are.'),
} as const;
