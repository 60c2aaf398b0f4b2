import type { SettledEvent } from '../../contracts/event';
import { errorFamily } from './error-family';
import { failureReason } from './failure-reason';
import { looksLikeInstruction } from './instruction-like';
import { nameWords } from './operation-name';
import { clip, finish, lowerFirst, plain, sentences } from './plain-text';
import { spokenTask } from './spoken-task';
import type { TaskTold } from './told';

const HANDOVER =
  /\b(?:transfer|hand ?over|hand ?off|handoff|escalate|forward|route|pass|reassign)\b/;
const REASON_LIMIT = 215;

export function isHandover(event: SettledEvent): boolean {
  return HANDOVER.test(nameWords(event.operation ?? '').join(' '));
}

/** `airline-gpt-4o-2 handed airline:43 to human agents: the user wants …`. */
export function handoverCard(event: SettledEvent, asked: string): TaskTold {
  const words = nameWords(event.operation ?? '');
  const to = words.lastIndexOf('to');
  const target =
    to >= 0 && to < words.length - 1
      ? words.slice(to + 1).join(' ')
      : (event.delegate?.agent ?? 'someone else');
  const why = sentences(plain(asked))
    .filter((sentence) => !looksLikeInstruction(sentence, 'told'))
    .map(aboutCustomer)
    .join(' ');
  const reason = clip(why, REASON_LIMIT);
  const start = `${clip(plain(event.agent), 60)} handed ${clip(plain(spokenTask(event) ?? 'the work'), 60)} to ${clip(plain(target), 60)}`;
  const said = `${start}${reason === '' ? '' : `: ${startLower(reason)}`}`;
  const failed = event.outcome === 'failed' || event.outcome === 'blocked';
  const message = failed ? failureReason(event.error ?? event.output, null, said, null) : null;
  const after = failed ? finish(message === null ? 'It failed' : `It failed: ${message}`) : '';
  return {
    summary: `${finish(said)} ${after}`.trim(),
    routine: false,
    topic: 'handover',
    family: failed ? errorFamily(message ?? '') : null,
  };
}

const SUBJECT_NAME =
  /^(?:\p{Lu}[\p{Ll}'’]+ ){1,2}\p{Lu}[\p{Ll}'’]+(?=, (?:an? |the |who )|\s(?:is|has|had|was|wants?|needs?|would|wishes|reports?|requests?|requested|asked|says|experienced|booked|purchased)\b)/u;
const TITLED_NAME =
  /\b(?:User|Customer|Client|Passenger|Patient|Member|Mr\.?|Mrs\.?|Ms\.?) \p{Lu}[\p{Ll}'’]+(?: \p{Lu}[\p{Ll}'’]+)?\b/gu;

/** Names of people are not needed to learn from a hand-over. */
function aboutCustomer(sentence: string): string {
  const named = sentence.replace(SUBJECT_NAME, (name) =>
    /^(?:The|This|A|An|User|Customer|Client|No|All|After|Due|Both)\b/.test(name)
      ? name
      : 'a customer',
  );
  return named.replace(TITLED_NAME, 'a customer');
}

function startLower(text: string): string {
  return /^(?:The|A|An|User|Customer|They|He|She|This|Their|After|When|Due|Client|Member)\b/.test(
    text,
  )
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : lowerFirst(text);
}
