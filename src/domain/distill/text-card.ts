import type { SettledEvent } from '../../contracts/event';
import { classifyKind } from '../classify';
import { type Turn, turnsOf } from './conversation';
import { looksLikeInstruction, textOf } from './instruction-like';
import { foreignFraming } from './language';
import { clip, finish, oneLine, plain, sentences } from './plain-text';
import type { Told } from './told';

/** A text of at most this length is told in its own words. */
const WHOLE_LIMIT = 330;

/**
 * An observation, a statement, a conversation without a request: the author's own words, trimmed.
 * Null where there is no text at all.
 */
export function textCard(event: SettledEvent): Told | null {
  const turns = turnsOf(event).filter((turn) => !looksLikeInstruction(turn.text));
  if (turns.length > 0) return conversation(event, turns);
  const asked = textOf(event.input);
  const came =
    [textOf(event.output), textOf(event.error)].find((text) => oneLine(text) !== '') ?? '';
  if (oneLine(asked) !== '' && came !== '') {
    return conversation(
      event,
      [
        { role: 'asker', speaker: '', text: asked },
        { role: 'answerer', speaker: '', text: came },
      ].filter((turn) => !looksLikeInstruction(turn.text)) as Turn[],
    );
  }
  const raw = [event.text ?? '', asked, came].find((text) => oneLine(text) !== '');
  if (raw === undefined) return null;
  const text = ownWords(raw, WHOLE_LIMIT);
  if (text === '') return null;
  return { summary: `${finish(text)}${verdict(event, text)}`, routine: false, topic: null };
}

function conversation(event: SettledEvent, turns: readonly Turn[]): Told | null {
  const first = turns.find((turn) => turn.role === 'asker') ?? turns[0];
  const last = [...turns].reverse().find((turn) => turn.role === 'answerer' && turn !== first);
  const all = turns.map((turn) => turn.text).join(' ');
  const foreign = foreignFraming(all);
  const parts: string[] = [];
  if (first !== undefined)
    parts.push(
      spoken(
        first.speaker,
        ownWords(first.text, last === undefined ? 300 : 160),
        foreign === null && last !== undefined ? 'Asked' : '',
      ),
    );
  if (last !== undefined)
    parts.push(spoken(last.speaker, ownWords(last.text, 150), foreign === null ? 'Answered' : '→'));
  if (last === undefined && turns.length > 1) {
    const second = turns[turns.length - 1];
    if (second !== undefined && second !== first)
      parts.push(spoken(second.speaker, ownWords(second.text, 150), ''));
  }
  const text = parts.filter((part) => part !== '').join(' ');
  if (text === '') return null;
  return { summary: `${finish(text)}${verdict(event, all)}`, routine: false, topic: null };
}

function spoken(speaker: string, words: string, lead: string): string {
  if (words === '') return '';
  const name = plain(speaker).slice(0, 40);
  if (name !== '') return `${name}: ${finish(words)}`;
  if (lead === '→') return `→ ${finish(words)}`;
  return lead === '' ? finish(words) : `${lead}: ${finish(words)}`;
}

/** The text itself where it is short, else its first sentence and those with figures or names. */
export function ownWords(raw: string, limit: number): string {
  const text = plain(raw);
  const honest = sentences(text).filter((sentence) => !looksLikeInstruction(sentence));
  const whole = honest.join(' ');
  if (whole.length <= limit) return whole;
  const [first, ...rest] = honest;
  let out = clip(first ?? '', limit);
  const scored = rest
    .map((sentence, index) => ({ sentence, index, score: telling(sentence) }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const kept: { sentence: string; index: number }[] = [];
  let size = out.length;
  for (const item of scored) {
    if (size + item.sentence.length + 1 > limit) continue;
    kept.push(item);
    size += item.sentence.length + 1;
  }
  kept.sort((a, b) => a.index - b.index);
  for (const item of kept) out += ` ${item.sentence}`;
  return out;
}

function telling(sentence: string): number {
  const figures = sentence.match(/\p{N}+/gu)?.length ?? 0;
  const names = sentence.slice(1).match(/(?<=\s)\p{Lu}[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.min(figures, 3) + Math.min(names, 3) - sentence.length / 200;
}

/** The verdict where the words do not carry it: failures always, successes where something was tried. */
function verdict(event: SettledEvent, text: string): string {
  const kind = classifyKind(event);
  if (kind !== 'experience' && kind !== 'constraint' && kind !== 'delegation') return '';
  const foreign = foreignFraming(text);
  if (event.outcome === 'failed')
    return foreign === null ? ' It failed.' : ` ${finish(foreign.failed)}`;
  if (event.outcome === 'blocked')
    return foreign === null ? ' It was blocked.' : ` ${finish(foreign.failed)}`;
  if (event.outcome === 'worked' && event.kind !== 'observation')
    return foreign === null ? ' It worked.' : ` ${finish(foreign.worked)}`;
  return '';
}
