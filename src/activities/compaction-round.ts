import type { SummaryCommitted } from '../contracts/compaction';
import { checked, type PutBack, putBack } from '../domain/conversation/put-back';
import {
  type Count,
  fitSummary,
  standInSummary,
  type ToldMessage,
} from '../domain/conversation/summary';
import { chunkOf } from '../domain/conversation/told-chunk';
import { weightOfText } from '../domain/conversation/weight';
import type { SummaryDraft } from '../store/compaction-drafts';
import {
  type CheckedDetail,
  detailsThrough,
  readCompacted,
  toldMessages,
  untoldMessages,
} from '../store/compaction-reads';
import type { Tx } from '../store/database';
import { policyOf } from '../store/settings';

/** What one round works on. */
export interface Round {
  state: 'read';
  version: number;
  /** The summary so far. */
  previous: string | null;
  messages: ToldMessage[];
  through: number;
  more: boolean;
  /** Of all messages that the summary will cover. */
  details: CheckedDetail[];
  /** The first that this round tells. */
  from: number;
  summaryTokens: number;
}

/** The summary has another version by now. */
export interface Moved {
  state: 'moved';
  version: number;
  through: number;
  written_by: 'model' | 'fallback' | null;
}

/**
 * Reads the next stretch that a summary of this version does not tell.
 * @returns null where there is none
 */
export async function readRound(
  tx: Tx,
  conversationId: string,
  version: number,
): Promise<Round | Moved | null> {
  const conversation = await readCompacted(tx, conversationId);
  if (conversation === null || conversation.status === 'archived') return null;
  const { summary_version: current, summarized_through: after, summary: previous } = conversation;
  if (current !== version) {
    const { summary_by: written_by } = conversation;
    return { state: 'moved', version: current, through: after, written_by };
  }
  const { keep_recent, summary_tokens: summaryTokens } = (await policyOf(tx)).conversations;
  const chunk = chunkOf(await untoldMessages(tx, conversationId, after), keep_recent);
  if (chunk === null) return null;
  const { through, more } = chunk;
  return {
    ...{ state: 'read', version, previous, through, more, from: after + 1, summaryTokens },
    messages: await toldMessages(tx, conversationId, { after, through }),
    details: await detailsThrough(tx, conversationId, through),
  };
}

/** A summary that was checked, with what had to be put back. */
export interface WrittenRound extends Pick<SummaryCommitted, 'items' | 'missing' | 'put_back'> {
  text: string;
  through: number;
  written_by: 'model' | 'fallback';
  told: { n: number; k: number }[];
}

/** A draft of another stretch is none. */
export function writtenRound(round: Round, draft: SummaryDraft | null, count: Count): WrittenRound {
  const { previous, messages, through, details, from, summaryTokens } = round;
  const budget = { tokens: summaryTokens, count };
  const isOfThis = draft !== null && draft.version === round.version && draft.through === through;
  const written = isOfThis
    ? fitSummary(draft.text, budget)
    : standInSummary(previous, messages, budget);
  const { missing } = checked(written, details);
  const weighed = missing.map((detail): CheckedDetail & PutBack => ({
    ...detail,
    weight: weightOfText(detail.items) * (detail.n <= OPENING_MESSAGES ? OPENING_FACTOR : 1),
  }));
  const { text, put } = putBack(written, weighed, budget);
  const isNew = ({ n }: { n: number }) => n >= from;
  const told = checked(text, details).held.map(({ n, k }) => ({ n, k }));
  return {
    ...{ text, through, told, written_by: isOfThis ? 'model' : 'fallback' },
    items: sum(details.filter(isNew)),
    missing: sum(missing.filter(isNew)),
    put_back: put.filter(isNew).length,
  };
}

/** What a conversation began with is gone back to most, and forgotten first. */
const OPENING_MESSAGES = 30;
const OPENING_FACTOR = 1.5;

function sum(details: readonly { items: readonly string[] }[]): number {
  return details.reduce((total, { items }) => total + items.length, 0);
}
