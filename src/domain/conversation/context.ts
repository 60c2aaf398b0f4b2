import type { ContextMessage, ConversationSummary } from '../../contracts/conversation';
import { detailsAsked, type FoundDetail } from './asked';
import type { ShownFact } from './facts-shown';
import { detailsMessage, memoryMessage } from './memory-message';
import { boundedTokens, MESSAGE_OVERHEAD } from './message-tokens';
import {
  type ContextTurn,
  costOfGroup,
  groupsOf,
  newestWithin,
  shownTurn,
  type TurnGroup,
} from './turns';

/** What older details may take of a context, in tokens; of a small budget a tenth, since most is for the turns. */
const DETAILS_TOKENS = 1000;
const DETAILS_SHARE = 0.1;
/** Of the line that opens them. */
const DETAILS_HEAD = 40;
const DETAILS_STEP = 50;

export interface ContextInput {
  id: string;
  summary: ConversationSummary | null;
  /** By `factsShown`. */
  facts: readonly ShownFact[];
  /** By `n`: the system's messages, and what the summary does not cover. */
  turns: readonly ContextTurn[];
  details: {
    /** Those of older messages that have words of the user's last message. */
    found: readonly (FoundDetail & { in_summary: boolean })[];
    /** Details of the whole conversation, and how many of them hold each word that is asked about. */
    total: number;
    df: Readonly<Record<string, number>>;
  };
  budgetTokens: number;
  countTokens: (text: string) => number;
}

export interface AssembledContext {
  messages: ContextMessage[];
  tokens: number;
  /** Those that had room. */
  facts: ShownFact[];
  /** As much of it as had room. */
  summary: ConversationSummary | null;
}

/**
 * The list of messages that goes to a model, in the order that a prompt cache likes: the caller's instructions, what
 * is remembered, the turns that the summary does not cover, and right before the user's last message what older
 * details it may ask about. One more message at the end leaves all before it as it was, but for a tool's result that
 * is cleared once it was answered from, and for those older details.
 *
 * Where the budget is passed the oldest turns go first; only where nothing is left of them facts, and the end of the
 * summary. Instructions, the user's last message and the newest turn stay in any case, and `tokens` says what they take.
 */
export function assembleContext(input: ContextInput): AssembledContext {
  const { id, turns } = input;
  const count = (text: string) => boundedTokens(text, input.countTokens);
  const through = input.summary?.through ?? 0;
  const head = headOf(turns, through);
  const groups = groupsOf(turns.filter((turn) => turn.n > through && !head.includes(turn)));
  const question = groups.flatMap(([turn]) => (turn?.role === 'user' ? [turn] : [])).at(-1) ?? null;
  const isPinned = ([turn]: TurnGroup) => turn === question || turn?.role === 'system';

  const besideHead = input.budgetTokens - costOfGroup(head);
  const memory = memoryWithin(input, besideHead - sumOf(newestWithin(groups, 0, isPinned)), count);
  const room = besideHead - memory.tokens;
  const forDetails = Math.min(DETAILS_TOKENS, Math.floor(input.budgetTokens * DETAILS_SHARE));
  const fits = sumOf(groups) <= room - (through > 0 ? forDetails : 0);
  const shown = fits ? groups : newestWithin(groups, room - forDetails, isPinned);
  const details =
    question === null
      ? null
      : olderDetails(input, {
          question,
          shown: new Set(shown.flat().map(({ n }) => n)),
          through,
          budget: Math.min(forDetails, room - sumOf(shown)),
          count,
        });

  const beforeQuestion = (group: TurnGroup) =>
    details !== null && group[0] === question ? [details.message] : [];
  return {
    messages: [
      ...head.map((turn) => shownTurn(id, turn)),
      ...(memory.text === null ? [] : [{ role: 'system' as const, content: memory.text }]),
      ...shown.flatMap((group) => [
        ...beforeQuestion(group),
        ...group.map((turn) => shownTurn(id, turn)),
      ]),
    ],
    tokens: costOfGroup(head) + memory.tokens + sumOf(shown) + (details?.tokens ?? 0),
    facts: memory.facts,
    summary: memory.summary,
  };
}

/** Instructions that the summary covers have no other place; those that open a conversation always had this one. */
function headOf(turns: readonly ContextTurn[], through: number): ContextTurn[] {
  const opening = turns.find(({ n, role }) => n > through && role !== 'system')?.n ?? Infinity;
  const opens = through === 0 ? opening : through + 1;
  return turns.filter(({ n, role }) => role === 'system' && n < opens);
}

interface Memory {
  text: string | null;
  tokens: number;
  facts: ShownFact[];
  summary: ConversationSummary | null;
}

/** Summary and facts within the budget: of too much the oldest facts go first, then the last lines of the summary. */
function memoryWithin(
  { summary, facts }: Pick<ContextInput, 'summary' | 'facts'>,
  budget: number,
  count: (text: string) => number,
): Memory {
  const lines = summary === null ? [] : summary.text.split('\n');
  for (let gone = 0; gone <= facts.length + lines.length; gone += 1) {
    const told = facts.slice(Math.min(gone, facts.length));
    const kept = lines.slice(0, lines.length - Math.max(0, gone - facts.length)).join('\n');
    const part = summary === null || kept.trim() === '' ? null : { ...summary, text: kept };
    const text = memoryMessage(part, told);
    if (text === null) break;
    const tokens = MESSAGE_OVERHEAD + count(text);
    if (tokens <= budget) return { text, tokens, facts: [...told], summary: part };
  }
  return { text: null, tokens: 0, facts: [], summary: null };
}

/** What the user's last message may ask about, of what is neither in the summary nor among the turns shown. */
function olderDetails(
  { details }: ContextInput,
  by: {
    question: ContextTurn;
    shown: ReadonlySet<number>;
    through: number;
    budget: number;
    count: (text: string) => number;
  },
): { message: ContextMessage; tokens: number } | null {
  const hidden = details.found.filter(
    ({ n, in_summary }) => n < by.question.n && (n <= by.through ? !in_summary : !by.shown.has(n)),
  );
  // By the parts the sum is a little off; the whole has the last word. What answers least goes first.
  for (let budget = by.budget - DETAILS_HEAD; budget > 0; budget -= DETAILS_STEP) {
    const told = detailsAsked(by.question.content ?? '', hidden, {
      total: details.total,
      df: details.df,
      budgetTokens: budget,
      count: by.count,
    });
    if (told.length === 0) return null;
    const content = detailsMessage(told);
    const tokens = MESSAGE_OVERHEAD + by.count(content);
    if (tokens <= by.budget) return { message: { role: 'system', content }, tokens };
  }
  return null;
}

function sumOf(groups: readonly TurnGroup[]): number {
  return groups.reduce((sum, group) => sum + costOfGroup(group), 0);
}
