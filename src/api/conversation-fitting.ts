import type { MessageRole, NewMessage } from '../contracts/conversation';
import { type DetailRow, detailRows } from '../domain/conversation/detail-rows';
import { messageTokens } from '../domain/conversation/message-tokens';
import { unhurried } from '../intake/intake';
import { fitMessageText, type MessageRedaction } from '../intake/message-text';
import { MAX_EVENT_BYTES } from '../intake/prepare';
import { tokensOf } from '../models/token-count';
import type { MessageToKeep } from '../store/conversation-messages';
import type { ApiDependencies } from './app';
import { kept } from './listing';
import { Problem } from './problem';

/** A message that may be kept, and what of it a summary has to keep. */
export interface FitMessage extends MessageToKeep {
  /** Numbered once the message is; empty for tools' results, whose details are of what is taken from them. */
  details: DetailRow[];
}

/** As a route's schema gives them. */
type Given = { [K in keyof NewMessage]: NewMessage[K] | undefined } & {
  role: MessageRole;
  content: string;
  at: string;
};

/**
 * Cleans, checks and redacts messages as an event's are: text and what stands inside of JSON in it, and names; a
 * call's id is checked, since it has to be found again as it is.
 *
 * @throws Problem 413 for one over 256 KB, 422 where an id holds a secret or a contact
 */
export async function fitMessages(
  deps: ApiDependencies,
  workspace: string,
  redaction: MessageRedaction,
  given: readonly Given[],
): Promise<FitMessage[]> {
  requireSizes(given);
  let before: string | null = null;
  return await unhurried([...given.entries()], ([index, message]) => {
    const fit = fitMessage(deps, workspace, redaction, message, `/messages/${index}`);
    const details =
      fit.role === 'system' || fit.role === 'tool' ? [] : detailRows({ ...fit, n: 0 }, before);
    if (fit.role !== 'system') before = fit.content;
    return { ...fit, details };
  });
}

function requireSizes(given: readonly Given[]): void {
  for (const [index, { content }] of given.entries()) {
    const bytes = Buffer.byteLength(content);
    if (bytes <= MAX_EVENT_BYTES) continue;
    throw new Problem(
      413,
      'too_large',
      `message ${index} is ${bytes} bytes of text; at most ${MAX_EVENT_BYTES} are taken`,
      { pointer: `/messages/${index}/content` },
    );
  }
}

function fitMessage(
  deps: ApiDependencies,
  workspace: string,
  redaction: MessageRedaction,
  { role, content, name, tool_call_id: call, at }: Given,
  pointer: string,
): MessageToKeep {
  const fitContent = fitMessageText(content, redaction);
  const fitName = name === undefined ? null : fitMessageText(name, redaction);
  return {
    role,
    content: fitContent,
    name: fitName,
    tool_call_id:
      call === undefined
        ? null
        : kept(() => deps.pseudonyms.label(workspace, call), `${pointer}/tool_call_id`),
    at,
    tokens: messageTokens({ content: fitContent, name: fitName }, tokensOf),
  };
}
