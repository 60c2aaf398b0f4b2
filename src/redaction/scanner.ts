/**
 * The scanner that runs before anything is durable: folds the text to one spelling, lets every
 * detector add its spans, merges them and writes placeholders.
 *
 * What it does not catch: names and street addresses (but for the marked names of the directory),
 * secrets of letters alone and raw hex keys with no word beside them, base64 around a secret, a secret
 * split over two events, ten digits of a telephone with neither shape nor word inside a longer text or
 * under a key (they are order ids as often), and identity numbers without a check, a shape or a word. What it hits without need: order
 * numbers that pass a card's check, and four-part versions that no word marks as such.
 */
import type { RedactionType } from '../contracts/names';
import { detectAddresses } from './addresses';
import { type Budget, newBudget } from './budget';
import {
  detectAuthSchemes,
  detectCodes,
  detectCommandLines,
  detectUrlPasswords,
} from './credentials';
import { detectEmails } from './emails';
import { foldText } from './fold';
import { detectKeywords } from './keywords';
import { detectKubernetesSecrets } from './kubernetes-secrets';
import { detectNames } from './names';
import { detectNationalIds } from './national-ids';
import { detectBankAccounts, detectCards, detectIbans, detectSocialSecurity } from './numbers';
import { detectPhones } from './phones';
import { detectPlacedSecrets } from './placed-secrets';
import { maskPlaceholders, placeholderOf, REDACTION_FAILED, type Tag } from './placeholders';
import { detectPrivateKeys } from './private-keys';
import { type Detector, mergeSpans, type Span } from './span';
import { detectAnchoredTokens, detectProviderTokens, detectTokenFamilies } from './tokens';

export interface RedactionOptions {
  /**
   * Keyed HMAC of a workspace: turns a normalised e-mail, phone or address into its stable tag of 10
   * to 64 base32 characters, one of them a letter. See `workspaceTagger`.
   */
  tag: Tag;
  /** `redaction.contact_data: keep_for_subjects` keeps e-mails and phones; secrets never. */
  keepContactData: boolean;
  /** Names of people and subjects of the directory that are marked to be redacted. */
  names: readonly string[];
}

export type RedactionCounts = Partial<Record<RedactionType, number>>;

export interface Redacted<T> {
  value: T;
  counts: RedactionCounts;
}

/**
 * The longest text that is scanned, in UTF-16 units: twice the 256 KB an event may have, since an
 * error with its stack can be longer than the event. A longer text is not cut, which could cut a
 * secret in half, but refused as a whole: it becomes `[REDACTION_FAILED]`.
 */
export const MAX_TEXT = 512 * 1024;

/** Replacing can join what stood apart, so the result is scanned again until nothing is found. */
const MAX_PASSES = 6;

/** A detector, and what a text must have at least for it to find anything; most texts are short. */
interface Step {
  detect: Detector;
  shortest: number;
  needs: RegExp;
}

const ANYTHING = /[\s\S]/;
const DIGIT = /\d/;

// biome-ignore format: one row a line
const STEPS: readonly Step[] = [
  { detect: detectPrivateKeys, shortest: 16, needs: ANYTHING },
  { detect: detectProviderTokens, shortest: 10, needs: ANYTHING },
  { detect: detectAnchoredTokens, shortest: 30, needs: ANYTHING },
  { detect: detectTokenFamilies, shortest: 20, needs: DIGIT },
  { detect: detectUrlPasswords, shortest: 6, needs: /@/ },
  { detect: detectAuthSchemes, shortest: 10, needs: / / },
  { detect: detectCommandLines, shortest: 8, needs: /[-@]/ },
  { detect: detectPlacedSecrets, shortest: 12, needs: ANYTHING },
  { detect: detectCodes, shortest: 7, needs: DIGIT },
  { detect: detectKubernetesSecrets, shortest: 24, needs: /kind/ },
  { detect: detectKeywords, shortest: 7, needs: ANYTHING },
  { detect: detectCards, shortest: 12, needs: DIGIT },
  { detect: detectIbans, shortest: 15, needs: DIGIT },
  { detect: detectBankAccounts, shortest: 10, needs: /acc(?:oun|)t|konto|sort code|routing/i },
  { detect: detectSocialSecurity, shortest: 9, needs: DIGIT },
  { detect: detectNationalIds, shortest: 9, needs: DIGIT },
  { detect: detectEmails, shortest: 5, needs: /@|at/i },
  { detect: detectPhones, shortest: 6, needs: DIGIT },
  { detect: detectAddresses, shortest: 6, needs: DIGIT },
  { detect: detectNames, shortest: 2, needs: ANYTHING },
];

/** Disjoint spans in the original's offsets, with what their tags are computed from. */
export function scanText(
  text: string,
  options: Pick<RedactionOptions, 'keepContactData' | 'names'>,
  budget: Budget = newBudget(),
  isWhole = false,
): Span[] {
  const folded = foldText(text);
  const scan = {
    text: maskPlaceholders(folded.text),
    budget,
    names: options.names,
    isWhole,
    spans: [] as Span[],
  };
  for (const { detect, shortest, needs } of STEPS) {
    if (scan.text.length >= shortest && needs.test(scan.text)) detect(scan);
  }
  // Before merging, so that a secret or a name inside an address that is kept is still replaced.
  const wanted = scan.spans.filter(
    ({ start, end, type }) =>
      end > start && !(options.keepContactData && (type === 'email' || type === 'phone')),
  );
  return mergeSpans(
    mergeSpans(wanted).map((span) => ({
      ...span,
      start: folded.startOf(span.start),
      end: folded.endOf(span.end - 1),
    })),
  );
}

/**
 * Where `text` holds something to be redacted, sorted and disjoint.
 *
 * @throws RangeError when the text is longer than `MAX_TEXT`
 */
export function findSpans(
  text: string,
  options: RedactionOptions,
): { start: number; end: number; type: RedactionType }[] {
  if (text.length > MAX_TEXT) throw new RangeError(`a text may have ${MAX_TEXT} units`);
  return scanText(text, options, newBudget(), true).map(({ start, end, type }) => ({
    start,
    end,
    type,
  }));
}

export function addCounts(total: RedactionCounts, more: RedactionCounts): void {
  for (const [type, count] of Object.entries(more) as [RedactionType, number][]) {
    total[type] = (total[type] ?? 0) + count;
  }
}

function replaceSpans(
  text: string,
  spans: readonly Span[],
  tag: Tag,
  counts: RedactionCounts,
): string {
  let out = '';
  let copied = 0;
  for (const span of spans) {
    out += text.slice(copied, span.start);
    out += placeholderOf(span, text.slice(span.start, span.end), tag);
    counts[span.type] = (counts[span.type] ?? 0) + 1;
    copied = span.end;
  }
  return out + text.slice(copied);
}

/** Most strings of an event are short words; no detector finds anything in letters this few. */
const isPlainWord = (text: string) => text.length <= 24 && /^[A-Za-z_ .,-]{0,24}$/.test(text);

/**
 * `text` as the value of `key`: the key counts as context (`phone: …`) but is not part of the result.
 * '' is a value that nothing names, null a text that stands for itself. Never throws and never
 * returns what it could not scan.
 */
export function redactValue(
  key: string | null,
  text: string,
  options: RedactionOptions,
  budget: Budget = newBudget(),
): Redacted<string> {
  const counts: RedactionCounts = {};
  if (isPlainWord(text) && options.names.length === 0) return { value: text, counts };
  try {
    if (text.length > MAX_TEXT) return { value: REDACTION_FAILED, counts: { failed: 1 } };
    const context = key === null || key === '' ? '' : `${key.slice(-64)}: `;
    let current = text;
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const spans = scanText(context + current, options, budget, key === null)
        .map((span) => ({
          ...span,
          start: Math.max(0, span.start - context.length),
          end: span.end - context.length,
        }))
        .filter((span) => span.end > span.start);
      if (spans.length === 0) return { value: current, counts };
      const replaced = replaceSpans(current, spans, options.tag, counts);
      const [first] = spans;
      const whole = spans.length === 1 && first?.start === 0 && first.end === current.length;
      if (whole || replaced === current) return { value: replaced, counts };
      current = replaced;
    }
    return { value: REDACTION_FAILED, counts: { failed: 1 } };
  } catch {
    return { value: REDACTION_FAILED, counts: { failed: 1 } };
  }
}

/**
 * Replaces secrets and personal data in a text. Deterministic, idempotent, and it fails closed: what
 * cannot be scanned becomes `[REDACTION_FAILED]`.
 *
 * @example redactText('mail ada@example.org', options).value // 'mail [EMAIL_k3vq…]'
 */
export function redactText(text: string, options: RedactionOptions): Redacted<string> {
  return redactValue(null, text, options);
}
