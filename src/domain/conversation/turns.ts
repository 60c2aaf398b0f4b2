import type { ContextMessage, MessageRole } from '../../contracts/conversation';

/** A message as a context is made from it. */
export interface ContextTurn {
  n: number;
  role: MessageRole;
  /** Null where it was cleared: then `extracted` stands for it. */
  content: string | null;
  extracted: string | null;
  /** Whether the raw text behind `extracted` is gone, after its time. */
  is_dropped: boolean;
  name: string | null;
  tool_call_id: string | null;
  /** Of the raw message, role and name included. */
  tokens: number;
  /** Of what stands in its place. */
  extracted_tokens: number | null;
}

/** A turn, or one together with the tool results that answer it: they are shown or left out as one. */
export type TurnGroup = readonly ContextTurn[];

/** Tokens of the turn as it is shown. */
export function costOf(turn: ContextTurn): number {
  return turn.extracted === null ? turn.tokens : (turn.extracted_tokens ?? turn.tokens);
}

export function costOfGroup(group: TurnGroup): number {
  return group.reduce((sum, turn) => sum + costOf(turn), 0);
}

/**
 * In order; results whose call is not among the turns are left out, since no model takes a result without its call.
 * @param turns by `n`
 */
export function groupsOf(turns: readonly ContextTurn[]): TurnGroup[] {
  const groups: ContextTurn[][] = [];
  for (const turn of turns) {
    if (turn.role === 'tool') groups.at(-1)?.push(turn);
    else groups.push([turn]);
  }
  return groups;
}

/** What stands in the place of a tool's result that was answered from, or whose raw text is past its time. */
export function clearedText(
  conversationId: string,
  n: number,
  extracted: string,
  { isDropped }: { isDropped: boolean },
): string {
  if (isDropped) {
    return `${extracted}\n[What was taken from a longer result, which is no longer kept.]`;
  }
  const handle = `GET /v1/conversations/${encodeURIComponent(conversationId)}/messages/${n}`;
  return `${extracted}\n[What was taken from a longer result. The whole of it, while it is kept: ${handle}]`;
}

/** The turn as it is sent to a model. */
export function shownTurn(conversationId: string, turn: ContextTurn): ContextMessage {
  const { n, role, name, tool_call_id, extracted, is_dropped: isDropped } = turn;
  return {
    role,
    content:
      extracted === null
        ? (turn.content ?? '')
        : clearedText(conversationId, n, extracted, { isDropped }),
    ...(name === null ? {} : { name }),
    ...(tool_call_id === null ? {} : { tool_call_id }),
  };
}

/** Of the room for turns: so much goes at once, so that what stays is the same for a while, as a prompt cache needs it. */
const STEP = 1 / 8;

/**
 * All groups where they fit; else the oldest are left out, an eighth of the room at a time. Those pinned stay whatever
 * they cost, and so does the newest, which waits for its answer.
 */
export function newestWithin(
  groups: readonly TurnGroup[],
  room: number,
  isPinned: (group: TurnGroup) => boolean,
): TurnGroup[] {
  const over = groups.reduce((sum, group) => sum + costOfGroup(group), 0) - room;
  if (over <= 0) return [...groups];
  const step = Math.max(1, Math.floor(room * STEP));
  const wanted = Math.ceil(over / step) * step;
  const stays = (group: TurnGroup) => group === groups.at(-1) || isPinned(group);
  let dropped = 0;
  let first = 0;
  for (const group of groups) {
    if (dropped >= wanted) break;
    if (!stays(group)) dropped += costOfGroup(group);
    first += 1;
  }
  return groups.filter((group, at) => at >= first || stays(group));
}
