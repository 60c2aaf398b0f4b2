import type { SettledEvent } from '../../contracts/event';
import type { Outcome } from '../../contracts/names';
import { recalledIn, withoutRepeated } from './block';
import { lastUserIn, lastUserText } from './prompt';
import { type Part, type Prompt, partsOf, type Tokens, textOf } from './shapes';

/** How a call ended. */
export interface Ended {
  content: readonly Part[];
  finish: string;
  tokens: Tokens;
  /** The caller went away before the end. */
  cancelled?: boolean;
  /** What the provider reported, or threw. */
  error?: unknown;
}

/** Who reports, and about what: fields of the event as they are. */
export type About = Pick<SettledEvent, 'agent'> &
  Partial<Pick<SettledEvent, 'session' | 'subject' | 'project' | 'task'>>;

export interface Call {
  prompt: Prompt;
  provider: string;
  model: string;
  operation: 'generate' | 'stream';
  about: About;
}

/** Characters of one text; a whole event may have 256 KB. */
const LONGEST_TEXT = 16_000;
const LONGEST_TOOL_TEXT = 4_000;
/** The last ones of a turn are kept: they are what it came to. */
const MOST_TOOL_USES = 25;

interface ToolUse {
  name: string;
  input: unknown;
  output?: unknown;
  failed?: boolean;
}

/**
 * What one call settled, as an event: the turn since the user's last words with its answer and its tools,
 * or the failure of the call itself. What was recalled for it, and instructions of the system, are no part
 * of it.
 *
 * @returns null where nothing was said
 */
export function eventOf(call: Call, ended: Ended, id: string, at: Date): SettledEvent | null {
  const base = { event_id: id, ...call.about, occurred_at: at.toISOString() };
  const recalled = call.prompt.flatMap((message) => recalledIn(textOf(partsOf(message))));
  const clean = (text: string) => withoutRepeated(text, recalled).trim();
  const asked = clipped(clean(lastUserText(call.prompt)), LONGEST_TEXT);
  const metadata = { ai_sdk: labelsOf(call, ended) };
  if (ended.error !== undefined) {
    return {
      ...base,
      kind: 'service_call',
      service: labelled(call.provider),
      operation: call.operation,
      outcome: 'failed',
      input: { model: call.model, request: clipped(asked, LONGEST_TOOL_TEXT) },
      error: errorText(ended.error),
      metadata,
    };
  }
  const turn = [...partsSince(call.prompt), ...ended.content];
  const answer = clipped(clean(textOf(turn)), LONGEST_TEXT);
  const tools = toolUsesIn(turn).slice(-MOST_TOOL_USES);
  if (asked === '' && answer === '' && tools.length === 0) return null;
  if (ended.cancelled === true && answer === '' && tools.length === 0) return null;
  const outcome = outcomeOf(ended, tools);
  const failure = tools.findLast(({ failed }) => failed === true);
  return {
    ...base,
    kind: 'chat',
    outcome,
    messages: [
      ...(asked === '' ? [] : [{ role: 'user', content: asked }]),
      ...tools.map((use) => ({
        role: 'tool',
        name: labelled(use.name),
        content: clean(JSON.stringify(told(use))),
      })),
      ...(answer === '' ? [] : [{ role: 'assistant', content: answer }]),
    ],
    ...(outcome === 'failed' && failure !== undefined
      ? { error: `${failure.name}: ${clean(asText(failure.output))}` }
      : {}),
    metadata,
  };
}

/** Another call may carry the turn on: its tools are still to run, or it failed and is tried again. */
export function isSettled({ finish, error }: Ended): boolean {
  return error === undefined && finish !== 'tool-calls';
}

/** The same for all calls of one turn. */
export function turnKeyOf({ prompt, about }: Call): string {
  return JSON.stringify([about.session, about.subject, lastUserIn(prompt), lastUserText(prompt)]);
}

function partsSince(prompt: Prompt): Part[] {
  return prompt
    .slice(lastUserIn(prompt) + 1)
    .filter(({ role }) => role === 'assistant' || role === 'tool')
    .flatMap(partsOf);
}

function toolUsesIn(parts: readonly Part[]): ToolUse[] {
  const uses = new Map<unknown, ToolUse>();
  for (const part of parts) {
    if (part.type === 'tool-call') {
      uses.set(part.toolCallId, { name: String(part.toolName), input: parsed(part.input) });
    } else if (part.type === 'tool-result') {
      const use = uses.get(part.toolCallId) ?? { name: String(part.toolName), input: null };
      uses.set(part.toolCallId, { ...use, ...resultOf(part) });
    }
  }
  return [...uses.values()];
}

function resultOf({ output, result, isError }: Part): Pick<ToolUse, 'output' | 'failed'> {
  if (output === undefined) return { output: result, failed: isError === true };
  const { type, value, reason } = output as { type?: string; value?: unknown; reason?: unknown };
  const failed = type === 'execution-denied' || (type?.startsWith('error') ?? false);
  return { output: type === 'execution-denied' ? (reason ?? 'denied') : value, failed };
}

/** Nobody said whether a talk helped; what tools did, they said themselves. */
function outcomeOf({ finish, cancelled }: Ended, tools: readonly ToolUse[]): Outcome {
  if (finish === 'error') return 'failed';
  if (finish === 'content-filter') return 'blocked';
  if (cancelled === true || finish === 'length') return 'neutral';
  const last = new Map(tools.map((use) => [use.name, use]));
  const ends = [...last.values()].filter(({ failed }) => failed !== undefined);
  if (ends.some(({ failed }) => failed)) return 'failed';
  return ends.length > 0 ? 'worked' : 'neutral';
}

function told({ input, output, failed }: ToolUse): object {
  const shown = { input: shortened(input) };
  if (failed === undefined) return shown;
  return { ...shown, [failed ? 'error' : 'output']: shortened(output) };
}

/** JSON that is small enough stays JSON, so that it is redacted by its fields. */
function shortened(value: unknown): unknown {
  const text = asText(value);
  return text.length <= LONGEST_TOOL_TEXT ? value : clipped(text, LONGEST_TOOL_TEXT);
}

function labelsOf({ provider, model }: Call, { finish, tokens, cancelled }: Ended) {
  const ended = cancelled === true ? { cancelled } : { finish_reason: finish };
  return { provider, model, ...ended, ...tokens };
}

function errorText(error: unknown): string {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown };
  const status = typeof statusCode === 'number' ? `${statusCode}: ` : '';
  const said = error instanceof Error ? error.message : asText(error);
  return clipped(`${status}${said === '' ? 'the call failed' : said}`, LONGEST_TOOL_TEXT);
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? null;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** 1–200 printable characters. */
function labelled(text: string): string {
  const printable = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/gu, '').slice(0, 200);
  return printable === '' ? 'unknown' : printable;
}

function clipped(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
