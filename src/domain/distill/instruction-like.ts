import type { Json, SettledEvent } from '../../contracts/event';
import { disguisedText, hiddenTexts } from './hidden-text';
import {
  MACHINE_ADDRESSED,
  MACHINE_FIELDS,
  MEANS_OF_ATTACK,
  TASK_TAKEN_OVER,
} from './instruction-address';
import { OTHER_LANGUAGES } from './instruction-languages';
import { PLAIN_ATTACK, TASK_SPEECH, TOOL_SPEECH } from './instruction-rules';

/**
 * Finds text that speaks to the machine that reads it instead of to a person: a planted instruction.
 * It judges kinds of speech and no single template, because the next attack words it anew. A flag
 * lowers trust by rule and never drops an event, so a miss costs more than a false alarm.
 */
const SCAN_LIMIT = 262_144;

/** One text as the rules above see it: lower-case, one line, escapes and quoting marks undone. */
function normal(text: string): string {
  return text
    .slice(0, SCAN_LIMIT)
    .replace(/(?<!\\)\\+[nrt]/g, ' ')
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/\\+/g, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/**
 * The rules see this much at once, so that a rule's cost at one place cannot grow with the text; what
 * a rule spans is well within the overlap.
 */
const WINDOW = 8_192;
const OVERLAP = 1_024;

function windows(text: string): string[] {
  const out: string[] = [];
  let from = 0;
  while (from + WINDOW < text.length) {
    out.push(text.slice(from, from + WINDOW));
    const next = from + WINDOW - OVERLAP;
    // A window opens at a word, since `^` counts as its beginning in some rules.
    const space = text.lastIndexOf(' ', next);
    from = space > next - OVERLAP ? space : next;
  }
  out.push(text.slice(from));
  return out;
}

/** Where a text stands decides how much of such speech is honest there. */
type Standing = 'request' | 'told' | 'result';

const RULES: Readonly<Record<Standing, readonly RegExp[]>> = {
  request: PLAIN_ATTACK,
  told: [...PLAIN_ATTACK, ...TASK_SPEECH],
  result: [
    ...PLAIN_ATTACK,
    ...TASK_SPEECH,
    ...TOOL_SPEECH,
    ...MACHINE_ADDRESSED,
    ...MACHINE_FIELDS,
    ...TASK_TAKEN_OVER,
    ...MEANS_OF_ATTACK,
    ...OTHER_LANGUAGES,
  ],
};

/** `忘记之前的指示` is one; no alphabet says it in less. */
const SHORTEST = 6;

/** True for text that has no business in what a tool, a page or another person sent. */
export function looksLikeInstruction(text: string, standing: Standing = 'result'): boolean {
  if (text.length < SHORTEST) return false;
  const seen = text.slice(0, SCAN_LIMIT);
  const plain = disguisedText(seen);
  return (
    breaksRule(seen, RULES[standing]) ||
    (plain !== null && breaksRule(plain, RULES[standing])) ||
    // What somebody took pains to hide is held to every rule.
    hiddenTexts(seen).some((hidden) => breaksRule(hidden, RULES.result))
  );
}

function breaksRule(text: string, rules: readonly RegExp[]): boolean {
  return windows(normal(text)).some((part) => rules.some((rule) => rule.test(part)));
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
