import type { Json } from '../../contracts/event';
import { parseValue } from './parse-value';
import { oneLine } from './plain-text';

/** The one message inside an error of any shape. */
export interface ErrorMessage {
  /** The exception's class or status, `SyntaxError`, or empty. */
  kind: string;
  /** The message without its class, on one line. */
  text: string;
  /** The class says something that the text does not. */
  telling: boolean;
}

/** A message is looked for in this much; the patterns below may look back over a line. */
const LINE_COUNT = 500;
const LINE_LIMIT = 1_200;

const MESSAGE_KEYS = [
  'message',
  'error_message',
  'detail',
  'details',
  'error_description',
  'reason',
  'description',
  'msg',
  'title',
  'error',
  'errors',
  'stderr',
  'cause',
  'text',
  'body',
];
const KIND_KEYS = ['type', 'name', 'code', 'error_code', 'status', 'status_code', 'kind'];
const CLASS_LINE =
  /^(?:[\w$]+\.)*([A-Z][\w$]*(?:Error|Exception|Warning|Fault|Interrupt))\b:?\s*(.*)$/;
/** Where a stack trace of JavaScript, Java or Python says which code was running: never why it failed. */
const FRAME =
  /^(?:at [^()]{1,400}\((?:[^()]{1,400}:\d{1,7}|<anonymous>|native|Native Method|Unknown Source)\)|at \S{1,400}:\d{1,7}:\d{1,7}|File "[^"]{1,400}", line \d{1,7}(?:, in .{1,200})?|\.{3} \d{1,5} more)$/;
/** Classes that say only that something went wrong. */
const UNTELLING =
  /^(?:Base)?(?:Error|Exception|ValueError|TypeError|RuntimeError|AttributeError|AssertionError|ValidationError|HTTPError|ApiError|APIError|UserError|ToolError|OperationalError|BadRequestError|GenericError|ToolNotFoundException)$/;

export function errorMessage(error: Json | undefined): ErrorMessage | null {
  const found = fromJson(error, 0);
  return found === null || (found.text === '' && found.kind === '') ? null : found;
}

function fromJson(error: Json | undefined, depth: number): ErrorMessage | null {
  if (error === undefined || error === null || depth > 4) return null;
  if (typeof error === 'string') {
    const parsed = /^\s*[[{]/.test(error) ? parseValue(error) : null;
    if (parsed?.shape === 'record') return fromRecord(parsed.fields, depth) ?? fromText(error);
    return fromText(error);
  }
  if (typeof error !== 'object') return fromText(String(error));
  if (Array.isArray(error)) return fromJson(error[0], depth + 1);
  return fromRecord(error, depth);
}

function fromRecord(fields: Readonly<Record<string, Json>>, depth: number): ErrorMessage | null {
  let message: ErrorMessage | null = null;
  for (const key of MESSAGE_KEYS) {
    if (!Object.hasOwn(fields, key)) continue;
    message = fromJson(fields[key], depth + 1);
    if (message !== null) break;
  }
  const kind = KIND_KEYS.map((key) => (Object.hasOwn(fields, key) ? fields[key] : null))
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .join(' ')
    .slice(0, 80);
  if (message === null)
    return kind === '' ? null : { kind: '', text: oneLine(kind), telling: false };
  return message.kind === '' ? { ...message, kind: oneLine(kind) } : message;
}

function fromText(raw: string): ErrorMessage | null {
  const all = raw
    .slice(0, 16_000)
    .split(/\r?\n/)
    .slice(0, LINE_COUNT)
    .map((line) => oneLine(line.slice(0, LINE_LIMIT)))
    .filter((line) => line !== '');
  const told = all.filter((line) => !FRAME.test(line));
  const lines = told.length === 0 ? all : told;
  // A listing in brackets is output that stands where an error was expected.
  if (lines.length === 0 || /^\[[^\]]+\]$/.test(lines[0] ?? '')) return null;
  const chosen = tellingLine(lines);
  const bare = chosen
    .replace(
      /^(?:uncaught |fatal |unhandled )?(?:error|exception|failure|failed|err|warning)\s*[:!-]\s*/i,
      '',
    )
    .replace(/^[A-Z]\d{2,4}\s+(?=[A-Z])/, '');
  const classed = CLASS_LINE.exec(bare);
  const kind = classed?.[1] ?? '';
  const text = tidy(classed === null ? bare : (classed[2] ?? ''), lines, chosen);
  return {
    kind,
    text: text === '' ? bare : text,
    telling: text !== '' && kind !== '' && !UNTELLING.test(kind),
  };
}

/** A trace ends with its error; a report names it on a line of its own; else the first line tells. */
function tellingLine(lines: readonly string[]): string {
  const classes = lines.filter((line) =>
    /^(?:[-*•>]\s*)?(?:[A-Z]\d{2,4}\s+)?(?:[\w$]+\.)*[A-Z]\w*(?:Error|Exception)\b/.test(line),
  );
  const trace = /traceback|stack trace/i.test(lines[0] ?? '');
  const chosen = trace
    ? (classes[classes.length - 1] ?? lines[lines.length - 1])
    : (classes[0] ?? firstProse(lines));
  return (chosen ?? lines[0] ?? '').replace(/^[-*•>]\s*/, '');
}

function firstProse(lines: readonly string[]): string | undefined {
  return (
    lines.find((line) =>
      /\b(?:error|fail|cannot|can't|unable|denied|not found|no such|invalid|fatal)/i.test(line),
    ) ?? lines.find((line) => line.split(' ').filter((word) => /\p{L}{2}/u.test(word)).length > 1)
  );
}

/**
 * Drops what is not the message: bracketed details, links, advice to the caller, code. A validation
 * report (`1 validation error for X` / field / complaint) becomes `field: complaint`.
 */
function tidy(text: string, lines: readonly string[], chosen: string): string {
  const report = /^\d+ validation errors? for\b/.test(text);
  const at = lines.indexOf(chosen);
  const full =
    report && at >= 0 && lines.length > at + 2
      ? `${lines[at + 1] ?? ''}: ${lines[at + 2] ?? ''}`
      : text;
  return full
    .replace(/\s*\[(?![A-Z]+_)[^\]]*\](?=\s|$)/g, '')
    .replace(/\s*\[\w+=.*$/, '')
    .replace(/\s*(?:for further information|see|more info(?:rmation)?)\b[^.]{0,40}https?:\S+/gi, '')
    .replace(/[.!]\s+(?:please )?(?:try|retry|use|check|see|contact|refer)\b.*$/i, '')
    .replace(/[\s.!:;,]+$/, '')
    .trim();
}
