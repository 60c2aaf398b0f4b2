import { type DetailRow, detailRows } from './detail-rows';
import { messageTokens } from './message-tokens';
import { toolValue } from './tool-value';
import { clearedText } from './turns';

/** A long result of a tool whose raw text is past its time. */
export interface OldResult {
  conversation_id: string;
  n: number;
  name: string | null;
  /** RFC 3339. */
  at: string;
  /** What was taken of it; null where nobody has answered from it, and then its text is there. */
  extracted: string | null;
  content: string | null;
}

/** What stays of it. */
export interface DroppedResult {
  extracted: string;
  /** As it stands in a context from now on. */
  tokens: number;
  /** Of what was taken just now; what was taken before has its own. */
  details: DetailRow[];
}

/** Of a result that was used what was taken, of another what it was and how it began. */
export function droppedResult(
  { conversation_id: id, n, name, at, extracted: taken, content }: OldResult,
  countTokens: (text: string) => number,
): DroppedResult {
  const extracted = taken ?? toolValue(content ?? '', []);
  const shown = clearedText(id, n, extracted, { isDropped: true });
  const details =
    taken === null ? detailRows({ n, role: 'tool', name, content: extracted, at }, null) : [];
  return { extracted, tokens: messageTokens({ content: shown, name }, countTokens), details };
}
