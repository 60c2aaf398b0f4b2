import type { Json, SettledEvent } from '../../contracts/event';

/**
 * Finds text that speaks to the machine that reads it instead of to a person: a planted instruction.
 * It judges kinds of speech and no single template, because the next attack words it anew. A flag
 * lowers trust by rule and never drops an event, so a miss costs more than a false alarm.
 */
const SCAN_LIMIT = 262_144;

const THING =
  '(?:instructions?|directions?|directives?|prompts?|rules?|guidelines?|commands?|orders?|messages?|context|programming|constraints?|policies|training)';
const READER =
  '(?:ai|a\\.i\\.|llm|language model|ai model|ai agent|ai assistant|assistant|agent|chat ?bot|bot|gpt(?:-?\\d\\w*)?|chatgpt|claude|gemini|copilot|llama|mistral|command r\\+?)';
const ACTION =
  '(?:send|make|visit|e-?mail|transfer|post|create|delete|invite|reserve|book|share|forward|reply|call|update|change|add|remove|upload|download|give|tell|open|click|go to|pay|buy|execute|run|install|write|say|print|output|get|fetch|retrieve|read|schedule|cancel|set|use|append|leak|reveal)';

/** Speech that has no honest use in a tool's output, a page or a message of a customer. */
const PLAIN_ATTACK: readonly RegExp[] = [
  new RegExp(
    `\\b(?:ignore|disregard|forget|override|overrule|bypass|discard|pay no attention to|do not follow|don't follow|stop following)\\b (?:\\w+ ){0,4}?(?:previous|prior|above|earlier|preceding|foregoing|original|initial|existing|system|former|past|safety|other|all|any|your|these|those|my|the user'?s?)(?: \\w+){0,4}? ${THING}\\b`,
  ),
  new RegExp(
    `\\b(?:ignore|disregard|forget) (?:everything|anything|all(?: of)? (?:that|this|it)|what(?:ever)?)\\b.{0,40}\\b(?:told|said|above|before|previously|instructed|asked|know)`,
  ),
  /\b(?:reveal|print|repeat|leak|disclose|output|show|display|send)\b.{0,30}\b(?:system|initial|hidden|developer|original|secret) (?:prompt|instructions?|message)\b/,
  /\byou are (?:now|no longer)\b.{0,60}\b(?:ai|assistant|mode|dan|jailbr\w+|unrestricted|model|agent|restricted|bound|filter\w*)\b/,
  /\b(?:developer|debug|admin|god|jailbreak|dan|maintenance|sudo) mode (?:is |has been )?(?:now )?(?:on|enabled|activated|unlocked)\b/,
  /<\|?\s*(?:im_start|im_end|system|endoftext|start_header_id|assistant|tool_call)\s*\|?>\s*\|?|\[\/?inst\]|<<\/?sys>>|\bbegin (?:system|admin|hidden) (?:prompt|message|instructions?)\b|#{2,} ?(?:system|new instructions?|instruction)\b ?:?/,
  /\b(?:ignorier\w*|vergiss|vergessen sie)\b.{0,40}\b(?:anweisung\w*|befehle?|vorgaben|regeln)\b/,
  /\b(?:ignor[ae]\w*|olvid[ae]\w*|descart[ae]\w*|desconsider[ae]\w*)\b.{0,40}\b(?:instrucciones|instruções|instruccion|istruzioni|indicaciones|reglas|regras|regole)\b/,
  /\b(?:ignore[zr]?|oublie[zr]?)\b.{0,40}\b(?:instructions|consignes|directives|règles)\b.{0,30}(?:précédent|antérieur|ci-dessus|initial)/,
  /忽略.{0,12}(?:指令|指示|说明|提示)|以前の(?:指示|命令)を無視|игнорируй\w*.{0,30}(?:инструкци|указани|команд)/,
];

/** Speech about the reader's task and tools; honest in a task that a person gives, not in a result. */
const TASK_SPEECH: readonly RegExp[] = [
  /\bbefore (?:you )?(?:can |may |could |should |must |do |are able to )?(?:solv|complet|finish|continu|proceed|respond|answer|perform|carry|work|execut|start|help|do )\w*(?: \w+){0,4}? (?:task|request|question|query|job|assignment|instructions?|anything else)\b/,
  /\b(?:after|once) (?:you(?:'ve| have)? )?(?:do|did|done|doing|complet\w+|finish\w*|perform\w*|that|this)\b.{0,60}\byou (?:can|may|should|will|must)\b.{0,30}\b(?:solve|continue|return|resume|go back|proceed|complete|answer|help)\b/,
  /\b(?:the|your) (?:\w+ )?(?:task|request|question)s? (?:that )?(?:i|we|the user) (?:gave|assigned|asked|sent) (?:to )?you\b/,
  /\byour (?:original|main|current|initial|real|actual|primary|new|next|first|only|true) (?:task|instructions?|objective|goal|mission|job|purpose) (?:is|are|now|will|should|must|has)\b/,
  new RegExp(
    `\\b(?:message|note|instructions?|notice|request|reminder|warning|information) (?:is |are )?(?:from \\w+(?: \\w+){0,5},? )?(?:to|for|intended for|addressed to|directed at) (?:you,? )?(?:the |any |all |an? )?${READER}\\b`,
  ),
  new RegExp(
    `\\b(?:dear|hey|hello|hi|attention|listen|note|to|ok|okay) (?:the |any |all )?${READER}s?(?: (?:reading|processing|handling|who|that)\\b[^.:,!]{0,40})?\\s?[:,!]`,
  ),
  new RegExp(`\\b(?:if|when|as) you(?: are|'re) (?:an? |the )?${READER}\\b`),
  new RegExp(
    `\\b(?:the )?${READER}s? (?:reading|processing|summari[sz]ing|handling|parsing) this\\b.{0,60}\\b(?:must|should|shall|has to|have to|is to|needs? to|will|please)\\b`,
  ),
  /\b(?:message|note|instructions?|order|request|command)s? from (?:me|us|the user|your (?:user|developer|operator|owner|admin\w*|creator|boss|supervisor|principal)|(?:the )?system|openai|anthropic|google)\b.{0,60}\bto you\b/,
  /\b(?:only|just|instead|must|exclusively) (?:follow|obey|execute|comply with|do|listen to) (?:only )?(?:these|the following|this|my|what follows|those)\b.{0,20}(?:instruction|order|command|direction|step|:)/,
  /\b(?:do not|don't|never|without|must not)\b(?: \w+){0,2} (?:tell|inform|mention|reveal|alert|notify|telling|informing|mentioning|disclose|let|warn)\w*\b.{0,25}\b(?:user|owner|human|anyone|anybody|customer|operator|this)\b/,
  /<\s*(?:important|information|system|instructions?|admin|prompt|override|urgent|hidden|secret|directive|command|task|priority|notice|user_?(?:message|request)?)\s*(?:[\w-]+="[^"]{0,40}")?\s*>/,
  /\[\s*(?:system|admin|instructions?|important|prompt|override|assistant|developer|hidden)(?: (?:message|instructions?|note|prompt|override))?\s*\]/,
  /(?:^|[\s"'>.])(?:system|assistant|admin|developer) ?(?:message|prompt|note|override|instruction)s? ?: ?\S/,
  /\b(?:new|updated|additional|revised|real|actual|urgent|special|secret|hidden) (?:instructions?|directives?|task|orders?|objective)(?: (?:for|to) (?:you|the (?:ai|assistant|agent|model)))? ?:/,
  new RegExp(
    `\\b(?:important|attention|urgent|warning|critical|notice|alert|instructions?|priority|mandatory|action required)\\b[\\s!:*\\]>-]{1,12}(?:please |you must |you should |you need to |immediately |now |first |before (?:anything|everything|doing)[^,.]{0,30}, ?|kindly |always |the (?:ai|assistant|agent|model) )+${ACTION}\\b`,
  ),
  new RegExp(`\\b(?:important|attention|urgent|instructions?)\\b ?!{2,}`),
  new RegExp(
    `\\bbefore (?:anything else|everything else|doing anything|you do anything|all else|you (?:go on|continue|proceed|respond|answer))\\b,?(?: please| you must| first| kindly)*,? ${ACTION}\\b`,
  ),
  new RegExp(`(?:^|[^#/*\\w]|[.!?] )todo ?: ?(?:please )?${ACTION} `),
  /\b(?:please |first |you must |must )do the following(?: (?:first|instead|things?|steps?|tasks?|now))?\b.{0,4}[:.]/,
  /\b(?:as|since) (?:you are |you're )?(?:an? |the )?(?:ai|language model|assistant|agent)\b,? (?:you (?:must|should|need|have|are)|please)\b/,
];

/** Pleading for a tool call; an agent that tells its own steps words them alike. */
const TOOL_SPEECH: readonly RegExp[] = [
  /\b(?:you (?:must|should|need to|have to|are (?:required|instructed|ordered) to)|please|first|now|then|immediately)(?: \w+){0,2} (?:call|invoke|use|execute|run|trigger) (?:the |these |this |following |a |your ){1,3}(?:[\w`'"]+ ){0,3}(?:function|tool|api|plugin|action)s?\b/,
  /\b(?:call|invoke|execute|run|use) (?:the |these )?(?:following|below|next) (?:functions?|tools?|apis?|actions?|tool calls?)\b/,
  /\b(?:to|in order to) (?:complete|finish|solve|access|see|continue|unlock|view|proceed|read)\b[^.]{0,60}, (?:you (?:must|need to|have to|should)|please|first)(?: first)? (?:send|transfer|e-?mail|call|visit|invite|share|forward|post|pay|delete)\b/,
];

/** One text as the rules above see it: lower-case, one line, escapes and quoting marks undone. */
function normal(text: string): string {
  return text
    .slice(0, SCAN_LIMIT)
    .replace(/\\+[nrt]/g, ' ')
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/\\+/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/** Where a text stands decides how much of such speech is honest there. */
type Standing = 'request' | 'told' | 'result';

const RULES: Readonly<Record<Standing, readonly RegExp[]>> = {
  request: PLAIN_ATTACK,
  told: [...PLAIN_ATTACK, ...TASK_SPEECH],
  result: [...PLAIN_ATTACK, ...TASK_SPEECH, ...TOOL_SPEECH],
};

/** True for text that has no business in what a tool, a page or another person sent. */
export function looksLikeInstruction(text: string, standing: Standing = 'result'): boolean {
  if (text.length < 12) return false;
  const seen = normal(text);
  return RULES[standing].some((rule) => rule.test(seen));
}

/**
 * Whether an event holds such text. What a person asks of an agent may speak of tasks and tools, so
 * requests are held to the plain attacks only; an agent's own account to all but the pleading for
 * tool calls; results, errors and observed texts to every rule.
 */
export function isInstructionLike(event: SettledEvent): boolean {
  const asked = event.kind === 'delegation' || event.kind === 'failure' || event.kind === 'chat';
  if (looksLikeInstruction(textOf(event.input), asked ? 'request' : 'result')) return true;
  for (const message of Array.isArray(event.messages) ? event.messages : []) {
    const role = String(message?.role ?? '');
    if (role === 'system' || role === 'developer') continue;
    const content = textOf(message?.content as Json);
    if (looksLikeInstruction(content, role === 'tool' ? 'result' : 'request')) return true;
  }
  const standing =
    event.kind === 'chat' ? 'request' : event.kind === 'delegation' ? 'told' : 'result';
  return [event.output, event.error, event.text].some((value) =>
    looksLikeInstruction(textOf(value), standing),
  );
}

/** All strings of a value, joined: rules see keys and values alike. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return '';
  const parts: string[] = [];
  let size = 0;
  const walk = (item: Json, depth: number): void => {
    if (size > SCAN_LIMIT || depth > 40) return;
    if (typeof item === 'string') {
      parts.push(item);
      size += item.length;
    } else if (item !== null && typeof item === 'object') {
      for (const [key, child] of Object.entries(item)) {
        if (!Array.isArray(item)) parts.push(key);
        walk(child, depth + 1);
      }
    }
  };
  walk(value, 0);
  return parts.join(' ');
}
