import { looksLikeInstruction } from './instruction-like';
import { clip, plain, sentences } from './plain-text';

/** Reads an agent's closing answer: what it says was done, and where it fell short. */

/** The answer without an agent's thinking, code and diffs. */
export function answerProse(raw: string): string {
  const text = raw
    .slice(0, 16_000)
    .replace(
      /<(thinking|think|scratchpad|reasoning|search_quality_reflection)>[\s\S]*?(?:<\/\1>|$)/gi,
      ' ',
    )
    .replace(/(?:^|\n)diff --git[\s\S]*$/, ' ')
    .replace(/```[\s\S]*?(?:```|$)/g, ' ');
  const result = /<(result|answer|final_answer|response)>([\s\S]+?)(?:<\/\1>|$)/i.exec(text)?.[2];
  return (result ?? text)
    .replace(STEP_BY_STEP, ' ')
    .replace(/:[^\S\n]*\n\s*(?:[-*•]+|\d+[.)])\s+/g, ': ')
    .replace(/([^\s:.;!?])[ \t]*\n+(?=[ \t]*(?:[-*•]+|\d+[.)])[ \t])/g, '$1;\n')
    .replace(/(^|\n)[ \t]*(?:[-*•]+|\d+[.)])[ \t]+/g, '$1');
}

const STEP_BY_STEP =
  /^\s*(?:(?:okay|ok|alright|sure|great),? ?)?(?:let(?: me|'s|s) think (?:this )?(?:through )?(?:this )?step[- ]by[- ]step[:.]?|(?:okay|ok|alright|sure|great),? ?)/i;

export function answerSentences(prose: string): string[] {
  return sentences(plain(prose)).filter(
    (sentence) => /\p{L}{2,}/u.test(sentence) && !looksLikeInstruction(sentence, 'told'),
  );
}

const FILLER =
  /^(?:(?:sure|okay|ok|certainly|of course|great|alright|thank you|thanks|yes|hello|hi|dear|let me|i hope|feel free|if you|please let|is there|here (?:is|are)|based on|to (?:complete|answer|find|do|add)|i (?:first|will|need|used|am going)|the (?:user|key steps|relevant)|it seems that we|the (?:tool|function)|enjoy|you can|this (?:completes|should))\b|let's|i(?:'ve| have) (?:successfully )?completed|i'd |i can |i would |(?:the )?(?:details|following)\b)/i;
const TOOLISH = /\b(?:tool|function|parameter)s?\b|\w+_\w+\(?/;
const DOES =
  /\b(?:was|were|has been|have been|is|are|costs?|sent|created|updated|added|found|booked|completed|fixed|done|scheduled|paid|recommend)\b/i;
const GIVES_UP =
  /\b(?:(?:could|can|was|am|were|is|are|did|do|does)(?: not|n't)|cannot|unable|unfortunately|not able|failed to|no (?:\w+ ){0,3}(?:found|available)|sorry|not (?:found|available|possible))\b/i;

/** The sentence that says most: figures and names, no courtesy, no talk of tools; empty if none does. */
export function tellingSentence(all: readonly string[], limit: number): string {
  const scored = all
    .slice(0, 14)
    .filter(
      (sentence) => sentence.length >= 12 && !/\?$/.test(sentence) && !GIVES_UP.test(sentence),
    )
    .map((sentence, index) => {
      let score = -index * 0.4;
      if (/\d/.test(sentence)) score += 1.5;
      if (DOES.test(sentence)) score += 1;
      if (FILLER.test(sentence)) score -= 2.5;
      if (TOOLISH.test(sentence)) score -= 2.5;
      if (sentence.length > 220) score -= 0.5;
      return { sentence, score };
    })
    .sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (best === undefined || (best.score < -2 && all.length > 1)) return '';
  return clip(best.sentence.replace(/[;:,\s]+$/, ''), limit);
}

/** A sentence in which the agent says that it could not. */
export function givingUp(all: readonly string[]): string | undefined {
  return all.find(
    (sentence) =>
      GIVES_UP.test(sentence) &&
      sentence.length < 260 &&
      !/^(?:however|but),? if\b/i.test(sentence),
  );
}

/** An agent's first person told by another: `I have sent the summary` → `sent the summary`. */
export function impersonal(sentence: string): string {
  return sentence
    .replace(
      /^(?:I(?:'ve| have)?|We(?:'ve| have)?) (?:now |also |then |just |successfully |already )*(?=\w+(?:ed|nt|de|id|ent|ade|ound|aid|ut|ot)\b)/,
      '',
    )
    .replace(/\bI(?:'ve| have)\b/g, 'the agent has')
    .replace(/\bI(?:'m| am)\b/g, 'the agent is')
    .replace(/\bI\b/g, 'the agent')
    .replace(/\b[Mm]y\b/g, 'its')
    .replace(/\bYou have\b/g, 'The user has')
    .replace(/\byou have\b/g, 'the user has')
    .replace(/\b[Yy]ou(?:'re| are)\b/g, 'the user is')
    .replace(/\b[Yy]our\b/g, "the user's")
    .replace(/\b[Yy]ou\b/g, 'the user');
}
