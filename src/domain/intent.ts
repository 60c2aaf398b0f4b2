import type { Intent } from '../contracts/names';
import { stem } from './stem';

/** Who should do the work, asked or said. */
const WHO = [
  /\bwho(?:m| else)?\b.{0,40}\b(?:should|to ask|is (?:good|best|better|able|suited|free|available)|are (?:good|best)|has (?:handled|experience|proven|done this)|knows? how|does .{0,30}\bbest)\b/,
  /\bwho (?:can|could|would|might) (?:i|we|you|do|handle|help|take|run|fix|write|review)\b/,
  /\b(?:good|better|best|reliable|suited) at\b/,
  /\bbest (?:agent|person|team|candidate|worker) (?:for|to)\b/,
  /\b(?:which|what) (?:\w+ )?(?:agents?|sub-?agents?|team|teammate|worker|specialist)s? (?:should|could|can|would|handles?|does|do|is|are|to)\b/,
  /\b(?:pick|choose|find|select|need) (?:an? |the )?(?:\w+ )?(?:agents?|sub-?agents?|team|teammate|worker|specialist)\b/,
];

/** How the work is cut up and handed out; a question about somebody's plans is none. */
const PLAN = [
  /\b(?:assign|assigning|delegate|delegating|hand (?:this |it |the \w+ )?(?:over|off)|staff|staffing|hire|hiring|recruit|allocate|outsource)\b/,
  /\b(?:assemble|build|form|put together) (?:a|the) (?:\w+ )?team\b/,
  /\bplanning\b/,
  /^plan\b|\bplan (?:the|a|an|for|to|how|out|our|my|this|next)\b/,
  /\b(?:make|write|draft|propose|prepare|need|create|work out|come up with) (?:a|the|an|our) (?:[\w-]+ ){0,3}(?:plan|roadmap|strategy)\b/,
  /\b(?:break|split|divide|cut) (?:\w+ ){0,4}(?:down|up|into (?:steps|tasks|parts|subtasks)|between|among)\b/,
  /\b(?:split|divide|share out|coordinate|organi[sz]e|prioriti[sz]e) (?:the|this|our|these) (?:work|tasks?|project|steps?)\b/,
];

/** The asker is about to do it, though it is put as a question. */
const ASKS_TO_ACT = [
  /\b(?:avoid|watch (?:out )?for|be careful|pitfalls?|gotchas?|go wrong|mistakes?)\b/,
  /\bbefore (?:i|we|you)\b|\bbefore (?:\w+ing)\b/,
  /^(?:should|may|can|shall) (?:i|we)\b/,
  /^how (?:(?:do|can|should|could|would|must) (?:i|we|you)|to)\b(?! (?:we |i |you )?know\b)/,
  /\b(?:i|we)(?:'m|'re| am| are) (?:about|going|ready|trying|supposed) to\b/,
];

/** About to do it, as a statement. */
const ABOUT_TO_ACT = /\b(?:about|going|ready|preparing|trying|attempting|supposed|asked) to\b/;

/** Asking, not doing. */
const QUESTION =
  /^(?:what|what'?s|when|where|which|why|whose|whom|who|who'?s|did|does|do|is|are|was|were|has|have|had|how|tell me|explain|summari[sz]e|recall|remember|research|compare|look up|describe|list|show|remind)\b/;

/** Requests that wrap the verb: "could you please book", "I would like to book". */
const WRAPPER =
  /^(?:(?:hi|hello|hey|ok(?:ay)?|now|then|first|next|please|kindly|can you|could you|would you|will you|go ahead and|let me|let'?s|let us|help me(?: to)?|i(?:'m| am) (?:looking|here|calling|writing) to|(?:i|we|you)(?:'d| would)? (?:need|want|like|have|wish|must|will|should|am|are)(?: to)?|your task is to|the task is to|task:|need to|want to|must|to)[,!.:]?\s+)+/;

const ACTS = new Set(
  (
    'send book cancel create delete remove update edit change modify pay transfer refund post publish deploy ' +
    'run execute call invite add schedule reschedule write upload download buy order submit reply approve move ' +
    'rename install fix migrate restart merge commit push set close exchange return upgrade downgrade reserve ' +
    'register notify email message share retry start stop enable disable apply charge issue make visit open ' +
    'adjust append build click compile configure copy convert drop file fill forward generate grant implement ' +
    'import insert join launch patch place print purchase reboot reject release replace report request reset ' +
    'revoke rotate save scale sign subscribe sync switch tag test train trigger unsubscribe withdraw wire'
  ).split(' '),
);

const ACT_STEMS = new Set([...ACTS].map(stem));

/**
 * What an agent is about to do, by fixed rules in this order (design §7): who should do the work →
 * plan; a question whose asker is about to act → act; any other question → look_up; planning; about
 * to act, or an instruction, by its verb or by an operation's name (`book_reservation`) → act;
 * `look_up` when none matches. The rules read English; any other query is looked up.
 *
 * @example intentOf('Book JFK to SFO for two') // 'act'
 * @example intentOf('who is good at refunds?') // 'plan'
 */
export function intentOf(query: string): Intent {
  const text = query
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  const bare = text.replace(WRAPPER, '');
  if (WHO.some((rule) => rule.test(text))) return 'plan';
  if (ASKS_TO_ACT.some((rule) => rule.test(text))) return 'act';
  if (QUESTION.test(bare)) return 'look_up';
  if (PLAN.some((rule) => rule.test(bare))) return 'plan';
  return ABOUT_TO_ACT.test(text) || instructs(bare) ? 'act' : 'look_up';
}

/** The verb comes first, or after a word that leads to one; an operation's name begins with it. */
function instructs(text: string): boolean {
  const words = text.split(/[^\p{L}\p{N}_.'-]+/u).filter((word) => word !== '');
  return words.some((word, at) => {
    const leads = at === 0 || /^(?:and|then|to|with|by)$/.test(words[at - 1] ?? '');
    return isAct(word) && (leads || /[a-z]_[a-z]/.test(word));
  });
}

function isAct(word: string): boolean {
  const operation = word.split('.').at(-1) ?? word;
  const verb = operation.split('_')[0] ?? operation;
  return ACTS.has(verb) || (verb.endsWith('ing') && ACT_STEMS.has(stem(verb)));
}
