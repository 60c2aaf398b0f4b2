import { choice, count, rules, yes } from './field';

const NONE = 'no bound';
const bound = (label: string, says: string, unit: string) =>
  count(label, says, { min: 1, max: 1e15, unit, none: NONE });
const rate = (label: string, says: string) =>
  count(label, says, { min: 60, max: 1e9, unit: 'a minute', none: NONE });

/** What comes in, by whom, and how much of it. */
export const INTAKE_FIELDS = {
  'capture.auto_register_agents': yes(
    'Agents register themselves',
    'An agent becomes known with the first event that names it. Off: events of unknown agents are refused.',
  ),
  'capture.trust_rules': rules(
    'Less trust',
    'Lowers how far a card is trusted by where it came from. A rule never raises trust; the lowest that matches counts.',
    'trust',
  ),
  'capture.write_rules': rules(
    'What is not kept',
    'Which events pass without becoming cards. Of several rules that match, the strictest counts.',
    'write',
  ),
  'capture.instruction_like': choice(
    'Text that speaks to the machine',
    'What becomes of a card from an agent or the web that reads like an instruction. What is held back waits for a person to release it.',
    { flag: 'Mark it', quarantine: 'Mark it, and hold it back' },
  ),

  'redaction.contact_data': choice(
    'Contact data',
    'What becomes of e-mail addresses, telephone numbers and addresses of machines in texts.',
    {
      tokenize: 'A token stands for each',
      keep_for_subjects: 'Kept where it is about a subject',
    },
  ),

  'limits.event_bytes': count(
    'Size of an event',
    'A larger one is refused. May only be stricter.',
    {
      min: 1_024,
      max: 262_144,
      unit: 'bytes',
    },
  ),
  'limits.batch_events': count('Events a request', 'A larger batch is refused.', {
    min: 1,
    max: 500,
    unit: 'events',
  }),
  'limits.nesting': count('Depth of an event', 'Of objects and lists within each other.', {
    min: 1,
    max: 32,
    unit: 'levels',
  }),
  'limits.link_candidates': count(
    'Compared with a new card',
    'How many cards are looked at for edges when one is filed.',
    { min: 1, max: 50, unit: 'cards' },
  ),
  'limits.recall_candidates': count(
    'Ranked in a recall',
    'How many cards are taken from all ways of finding before they are ranked.',
    { min: 1, max: 1_000, unit: 'cards' },
  ),
  'limits.requests_per_minute': rate(
    'Requests of all keys',
    'Of the workspace together, but for owners and operators, who must be able to revoke a key that floods.',
  ),
  'limits.key_requests_per_minute': rate(
    'Requests of one key',
    'A key may have a lower number of its own.',
  ),
  'limits.key_requests_at_once': bound(
    'Requests of one key at once',
    'In hand at one time; each counts one more for every MiB of its body.',
    'requests',
  ),
  'limits.events_per_minute': bound(
    'Events a minute',
    'Of the workspace, in whatever batches they come.',
    'events',
  ),
  'limits.events_per_day': bound('Events a day', 'New ones, by the date in UTC.', 'events'),
  'limits.cards': bound('Cards kept', 'Retired ones included, deleted ones not.', 'cards'),
  'limits.payload_bytes': bound(
    'Payloads kept',
    'What the payloads of events take in the database.',
    'bytes',
  ),
  'limits.open_conversations': bound('Open conversations', 'At one time.', 'conversations'),

  'webhooks.allow_private': yes(
    'Webhooks to private addresses',
    'Lets a webhook lead to this machine or a network of one’s own, and be plain http.',
  ),
} as const;
