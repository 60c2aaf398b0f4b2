import { count, duration, type Field, rules, share, time, yes } from './field';

const FOR_EVER = 'for ever';
const kept = (label: string) =>
  duration(label, 'How long such a card is kept, from when it was filed.', FOR_EVER);
const paused = yes('Paused', 'It does not start by itself; a person can still start it.');
const cards = (label: string, says: string) =>
  count(label, says, { min: 0, max: 1_000_000, unit: 'cards' });

/** What changes memory by itself: proposals, nightly passes, learning, forgetting. */
export const PASS_FIELDS = {
  'strikes.count': count('Failures', 'Of one step of a team, that open a proposal to fix it.', {
    min: 1,
    max: 100,
    unit: 'failures',
  }),
  'strikes.window': duration('Within', 'Counted from when they happened.'),

  'proposals.ttl': duration('Open for', 'A proposal that nobody decides expires after this.'),
  'proposals.reminders': {
    as: 'durations',
    label: 'Reminders',
    says: 'How long after the opening people are reminded; Enter adds one. ISO 8601, such as P3D.',
  } as Field,
  'proposals.direct_decisions': yes(
    'Decisions by Temporal',
    'Whether a decision that is sent straight to the workflow counts. What it says is recorded either way.',
  ),

  'gate.rules': rules(
    'Rules of the gate',
    'What becomes of what a pass found, without a person. The first rule that matches decides; where none does, a person decides.',
    'gate',
  ),

  'consolidation.at': time('Starts at', 'Each night, in the zone of the workspace.'),
  'consolidation.timezone': {
    as: 'zone',
    label: 'Zone of the workspace',
    says: 'All times of day of this policy, and days of reports, are of this zone.',
  } as Field,
  'consolidation.max_retire_share': share(
    'Most that one night retires',
    'Of the active cards of a scope; the rest waits for the next night.',
  ),
  'consolidation.min_cards': cards(
    'Small scopes',
    'Scopes with fewer cards are not held to the share.',
  ),
  'consolidation.min_sources': count('Episodes of a note', 'Fewer that lie together make none.', {
    min: 2,
    max: 1_000,
    unit: 'cards',
  }),
  'consolidation.duplicate_similarity': share('Duplicates', 'Cards this alike or more are one.'),
  'consolidation.paused': paused,

  'reflection.at': time('Starts at', 'Each night, in the zone of the workspace.'),
  'reflection.quiet': duration(
    'Quiet for',
    'A scope in which nothing was filed for so long is reflected on before the night.',
  ),
  'reflection.demote_after': count(
    'Against what was approved',
    'Outcomes that turn against it, more than those that bear it out, before it is demoted.',
    { min: 1, max: 1_000, unit: 'outcomes' },
  ),
  'reflection.paused': paused,
  'reflection.budget.cards': count('Cards', 'Read in one pass.', {
    min: 1,
    max: 1_000_000,
    unit: 'cards',
  }),
  'reflection.budget.calls': count('Calls', 'Of the model, in one pass.', {
    min: 0,
    max: 10_000,
    unit: 'calls',
  }),
  'reflection.budget.tokens': count('Tokens', 'Of all calls of one pass.', {
    min: 0,
    max: 1e9,
    unit: 'tokens',
  }),

  'recalibration.day': count('Day of the month', 'On which it runs.', { min: 1, max: 28 }),
  'recalibration.at': time('Starts at', 'In the zone of the workspace.'),
  'recalibration.archive_unused': duration(
    'Unused for',
    'A card that was not used for so long may be proposed for the archive.',
  ),
  'recalibration.archive_below': share('Confidence below', 'And whose confidence is below this.'),
  'recalibration.duplicate_similarity': share(
    'Duplicates',
    'Cards this alike are proposed as one.',
  ),
  'recalibration.paused': paused,

  'retention.restore_window': duration(
    'Restorable for',
    'A deleted or archived card can be brought back so long.',
  ),
  'retention.event_payload': duration('Payloads of events', 'Kept so long; the cards stay.'),
  'retention.forget': rules(
    'Forget by rule',
    'What is purged a time after it was recorded, whatever the horizon of its kind says.',
    'forget',
  ),
  'retention.at': time('Starts at', 'Each night, in the zone of the workspace.'),
  'retention.paused': paused,
  'retention.by_kind.experience': kept('Experiences'),
  'retention.by_kind.constraint': kept('Constraints'),
  'retention.by_kind.delegation': kept('Delegations'),
  'retention.by_kind.knowledge': kept('Knowledge'),
  'retention.by_kind.insight': kept('Insights'),
  'retention.by_kind.convention': kept('Conventions'),
  'retention.by_kind.competence': kept('Competence'),
  'retention.by_kind.skill_lesson': kept('Skill lessons'),

  'learning.novelty': {
    ...count('Novelty', 'A task scored at or above it becomes a skill.', { min: 1, max: 10 }),
    whole: false,
    step: 0.5,
  },
  'learning.similarity': share('Known already', 'A skill this like another is merged or skipped.'),

  'conversations.ceiling_tokens': count(
    'Summed up past',
    'Of what the summary does not cover yet; past it a new summary is made.',
    { min: 500, max: 1_000_000, unit: 'tokens' },
  ),
  'conversations.summary_tokens': count('Size of a summary', 'At most.', {
    min: 100,
    max: 100_000,
    unit: 'tokens',
  }),
  'conversations.keep_recent': count('Newest messages', 'Stay as they were said.', {
    min: 2,
    max: 1_000,
    unit: 'messages',
  }),
  'conversations.facts': yes(
    'Facts about the subject',
    'Made of what is said, and put into the context of the conversation.',
  ),

  'insights.time_sensitivity': {
    as: 'named',
    label: 'Haste by domain',
    says: 'Points of urgency for a finding of this domain; “other” counts for a domain not named.',
    what: 'domain',
    unit: 'points',
    min: 0,
    max: 15,
  } as Field,
  'insights.window': duration('Measured after', 'From an action taken to measuring what it did.'),
  'insights.rates': {
    as: 'named',
    label: 'Rates',
    says: 'What one of a currency is in US dollars, to compare findings; nothing is paid by it.',
    what: 'currency (ISO 4217)',
    unit: 'dollars',
    min: 0,
    max: 1_000_000,
  } as Field,
  'insights.urgent_above': {
    ...count('Urgent above', 'An insight of a higher score is told to webhooks.', {
      min: 0,
      max: 100,
      unit: 'points',
    }),
    whole: false,
  },
  'insights.min_change': share('Changed nothing below', 'Relative change of a metric.'),
} as const;
