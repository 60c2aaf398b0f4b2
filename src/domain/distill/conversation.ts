import type { SettledEvent } from '../../contracts/event';
import { literally } from '../literally';
import { textOf } from './instruction-like';

export interface Turn {
  role: 'asker' | 'answerer';
  /** The speaker's own name where one is given, else empty. */
  speaker: string;
  text: string;
}

const MARK =
  /(?:^|\n)[ \t]*(user|customer|human|client|caller|visitor|assistant|agent|ai|bot|support|system)\s*:\s*/gi;
const ANSWERER = /^(?:assistant|agent|ai|bot|support|model)$/i;
const UNSPOKEN = /^(?:system|developer|tool|function)$/i;
const TURN_LIMIT = 4_000;

/** The turns of a conversation: messages, or a transcript with a role before each turn. */
export function turnsOf(event: SettledEvent): Turn[] {
  const messages = Array.isArray(event.messages) ? event.messages : [];
  if (messages.length > 0) {
    return messages
      .filter(
        (message) => typeof message?.content === 'string' && !UNSPOKEN.test(String(message.role)),
      )
      .map((message) => ({
        role: ANSWERER.test(String(message.role)) ? ('answerer' as const) : ('asker' as const),
        speaker: typeof message.name === 'string' ? message.name : '',
        text: message.content.slice(0, TURN_LIMIT),
      }))
      .filter((turn) => turn.text.trim() !== '');
  }
  const transcript = [textOf(event.output), textOf(event.input), event.text ?? ''].find((text) =>
    /(?:^|\n)[ \t]*(?:user|customer|human|client|assistant|agent)\s*:/i.test(text.slice(0, 4_000)),
  );
  if (transcript === undefined) return [];
  const marks = [...transcript.slice(0, 64_000).matchAll(MARK)];
  return marks
    .map((mark, index) => ({
      role: ANSWERER.test(mark[1] ?? '') ? ('answerer' as const) : ('asker' as const),
      speaker: '',
      text: transcript
        .slice(mark.index + mark[0].length, marks[index + 1]?.index)
        .slice(0, TURN_LIMIT)
        .replace(/(?<!#)#{2,}\w{1,80}#{2,}|\[\.\.\.cut.*$/g, '')
        .trim(),
    }))
    .filter((turn) => turn.text !== '');
}

const OWN_NAME =
  /\b(?:[Mm]y name is|[Nn]ame's|[Tt]his is|[Ii]t's|I am|I'm)\s+((?:\p{Lu}[\p{Ll}'’]+)(?:\s\p{Lu}[\p{Ll}'’]+){0,2})/gu;
const CALLED =
  /\b(?:[Tt]hank you|[Tt]hanks|[Hh]i|[Hh]ello|[Dd]ear|[Ss]orry|[Nn]o problem|[Gg]reat|[Cc]ertainly|[Ss]ure|[Ww]elcome|[Aa]pologies),?\s+(?:(?:Mr|Ms|Mrs|Dr)\.?\s)?(\p{Lu}\p{Ll}{2,}(?:\s\p{Lu}\p{Ll}{2,})?)(?=[,.!])/gu;
const NO_NAME =
  /^(?:There|You|For|Let|The|Thank|Please|Your|And|But|Economy|Business|Basic|One|Yes|No)\b/;

/** What people in the conversation are called, longest first; for leaving it out. */
export function peopleIn(turns: readonly Turn[]): string[] {
  const names = new Set<string>();
  for (const turn of turns.slice(0, 40)) {
    for (const match of turn.text
      .slice(0, 3_000)
      .matchAll(turn.role === 'asker' ? OWN_NAME : CALLED)) {
      const name = match[1] ?? '';
      if (NO_NAME.test(name)) continue;
      names.add(name);
      for (const part of name.split(' ')) if (part.length > 2) names.add(part);
    }
  }
  return [...names].sort((a, b) => b.length - a.length).slice(0, 20);
}

export function withoutNames(text: string, people: readonly string[]): string {
  let out = text;
  for (const name of people) {
    const literal = literally(name);
    out = out.replaceAll(new RegExp(`(?<![\\p{L}_])${literal}(?![\\p{L}_])`, 'gu'), 'a customer');
  }
  return out;
}

const CODE = /(?<![\w#@./-])#?(?=[A-Z0-9]*\d)(?=[#A-Z0-9]*[A-Z])[A-Z0-9]{5,10}(?![\w@-])/g;

/** Ids that make a conversation findable, those the asker named first. */
export function codesIn(turns: readonly Turn[]): string[] {
  const found = new Map<string, number>();
  for (const turn of turns.slice(0, 30)) {
    for (const [code] of turn.text.slice(0, 3_000).matchAll(CODE)) {
      found.set(code, (found.get(code) ?? 0) + (turn.role === 'asker' ? 3 : 1));
    }
  }
  return [...found].sort((a, b) => b[1] - a[1]).map(([code]) => code);
}
