import type { Json } from '../../contracts/event';
import type { ErrorFamily } from '../../contracts/names';
import { literally } from '../literally';
import { errorFamily } from './error-family';
import { errorMessage } from './error-message';
import { looksLikeInstruction } from './instruction-like';
import { clip } from './plain-text';

const SIGNATURE_LIMIT = 160;
const MASK = '…';

/**
 * The error's message with its values masked, so that the same fault on another thing reads the same:
 * `Channel … not found in the channels list` for `External` and `External_`. `values` are inputs of
 * the call by field name; where they stand in the message they are masked whatever they look like.
 * Null where there is no error text.
 */
export function errorSignature(
  error: Json | undefined,
  values: Readonly<Record<string, string>> = {},
): { signature: string | null; family: ErrorFamily | null } {
  const message = errorMessage(error);
  if (message === null) return { signature: null, family: null };
  const family = errorFamily(`${message.kind} ${message.text}`);
  const text = looksLikeInstruction(message.text) ? withoutPlanted(message.text) : message.text;
  const masked = maskValues(maskInputs(text, values));
  const named = message.telling ? `${message.kind}: ${masked}` : masked;
  return { signature: clip(named, SIGNATURE_LIMIT) || null, family };
}

/** The start and the end of a message that something was planted in; the middle is one value. */
function withoutPlanted(text: string): string {
  const start = /^[^<>"'`\\:]{0,60}?(?=\s*(?:["'`\\<:]|\S*_ ))/.exec(text)?.[0] ?? '';
  const end =
    /(?:not found|does not exist|already|invalid|denied|not available)[^<>"'`:]{0,60}$/i.exec(
      text,
    )?.[0] ?? '';
  return `${start.trim()} ${MASK} ${end}`.trim();
}

/** Quoted, numbered, coded or proper: whatever names one thing and not a kind of thing. */
export function maskValues(text: string): string {
  return text
    .replace(/\[(?:[A-Z]+_)+[A-Za-z2-7]+\]/g, MASK)
    .replace(
      /(?<![\p{L}\p{N}])(["'`“‘])(?:[^"'`”’]|(?<=\p{L})['’](?=\p{L})){0,400}["'`”’](?![\p{L}\p{N}])/gu,
      MASK,
    )
    .replace(/\b(?:https?:\/\/|www\.)\S+/gi, MASK)
    .replace(/(?<![\w.])[\w.+-]+@[\w-]+\.[\w.]+/g, MASK)
    .replace(/(?<!\w)(?:[~.]{0,2}\/)?(?:[\w.@-]+\/)+[\w.@-]*/g, MASK)
    .replace(
      /(?<!\w)[\w-]+\.(?:py|ts|js|json|ya?ml|txt|md|csv|docx?|xlsx?|pdf|png|sh|c|java|go|rs|html?|sql|log)\b/gi,
      MASK,
    )
    .replace(/(?<![\p{L}\p{N}])#[\w-]+/gu, MASK)
    .replace(
      /(?<!\p{L})[\p{L}\p{N}_]*(?:\p{N}[\p{L}\p{N}_.:-]*|_(?![\p{L}(]))(?:[-/:.][\p{L}\p{N}_]+)*/gu,
      (found) => (/^[\p{Lu}]{2,}$/u.test(found) ? found : MASK),
    )
    .replace(
      /(?<=[\p{Ll},;:)…] )(?:\p{Lu}\p{Ll}+)(?: \p{Lu}\p{Ll}+)*(?=\s|$|[,.;:!?)])/gu,
      (found) => (COMMON_CAPITAL.test(found) ? found : MASK),
    )
    .replace(/(?:…[\s,.:;/-]*(?:and |or )?){2,}/g, (found) =>
      /[\s]$/.test(found) ? `${MASK} ` : MASK,
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** Words that error texts capitalise without naming a thing. */
const COMMON_CAPITAL =
  /^(?:Input|Output|Please|Try|Unable|Cannot|Error|Invalid|Missing|No|Not|The|This|You|Your|It|If|Value|Field|Check|Request|Response|Bad|Server|Service|Too|Attachment|Expected|Object|None|True|False|Syntax|Use|Must|Only|Could|Failed)\b/;

function maskInputs(text: string, values: Readonly<Record<string, string>>): string {
  let out = text;
  for (const [path, value] of Object.entries(values)) {
    if (value.length < 2 || value.length > 80 || !out.includes(value)) continue;
    const field = (
      path
        .split('.')
        .filter((part) => !/^\d+$/.test(part))
        .pop() ?? ''
    ).replace(/_(?:id|name)$/, '');
    const literal = literally(value);
    // An everyday word is a value only next to the name of its field: `channel random`, not `random`.
    const pattern = /^[a-z]+$/.test(value)
      ? new RegExp(`(\\b${literally(field)}s?\\b[ :='"]{1,3})${literal}(?![\\w])`, 'giu')
      : new RegExp(`((?<![\\p{L}\\p{N}_]))${literal}(?![\\p{L}\\p{N}_])`, 'gu');
    out = out.replace(pattern, (_found, before: string) => `${before}${MASK}`);
  }
  return out;
}
