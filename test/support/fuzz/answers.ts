import { faultIn } from '../../../bench/support/hostile-client';

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

/** Nothing works off here, and it says so. */
const MAY_BE_UNREADY = 'GET /readyz';
const NOBODY_ANSWERED = 'nobody answered in time';
/** A message that is none is told so in the words of its own protocol. */
const SPEAKS_JSON_RPC = '/mcp';

/** What is wrong with an answer, whatever was asked; null where nothing is. */
export function faultOf(
  route: string,
  { status, headers, text }: Answer,
  unseen: readonly string[],
): string | null {
  const shown = unseen.find((word) => text.toLowerCase().includes(word));
  if (shown !== undefined) {
    const at = text.toLowerCase().indexOf(shown);
    return `shows ${text.slice(Math.max(0, at - 200), at + 60)}`;
  }
  if (route === MAY_BE_UNREADY && status === 503) return null;
  // What a workflow is asked for it is asked in vain: no Temporal runs here, and the answer says so.
  if (status === 503 && text.includes(NOBODY_ANSWERED)) return null;
  if (headers.get('x-content-type-options') !== 'nosniff') return 'an answer without its headers';
  const type = headers.get('content-type') ?? '';
  const isJson = /^application\/(?:problem\+)?json/.test(type);
  if (isJson && status !== 304 && text !== '' && !parses(text)) return 'JSON that is none';
  if (route.endsWith(SPEAKS_JSON_RPC) && status < 500 && text.startsWith('{"jsonrpc"')) return null;
  return faultIn({ status, type, text });
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
