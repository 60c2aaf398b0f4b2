import type { CairnClient } from '../../client/client';
import type { ImportCounts, LineProblem } from './counts';
import { eventIn } from './event-line';
import { linesOf } from './lines';
import { Sender } from './sender';
import { Settling } from './settling';

export interface ImportRequest {
  client: CairnClient;
  chunks: AsyncIterable<Uint8Array | string>;
  omit: ReadonlySet<string>;
  /** Until every event has its card, or the reason why it has none. */
  wait: boolean;
  problem(problem: LineProblem): void;
  note(line: string): void;
  /** Filled in as it goes. */
  counts: ImportCounts;
}

export interface ImportOutcome {
  /** Events that nothing moved for two minutes. */
  unsettled: number;
}

/**
 * Imports lines of JSON as events, as they come. Every line is sent, even when it was imported
 * before: the server says which are new, so an import that was broken off goes on by being repeated.
 *
 * @throws what stopped it; `request.counts` has what was done until then
 */
export async function importLines(request: ImportRequest): Promise<ImportOutcome> {
  const { client, counts, omit, wait } = request;
  const settling = new Settling(client, counts);
  const refused = (problem: LineProblem) => {
    counts.refuse(problem);
    request.problem(problem);
  };
  const sender = new Sender({
    client,
    counts,
    taken: (handle) => {
      if (wait) settling.add(handle);
    },
    refused,
    note: request.note,
  });
  const settled = settling.run();
  // Read at the end; until then a failure of the sender comes first, and this one is not unhandled.
  settled.catch(() => {});
  try {
    for await (const line of linesOf(counted(request.chunks, counts))) {
      if ('text' in line && line.text.trim() === '') continue;
      counts.lines += 1;
      if ('problem' in line) {
        refused({ line: line.number, code: 'not_text', reason: line.problem });
        continue;
      }
      const parsed = eventIn(line.text, omit);
      if ('event' in parsed) await sender.add({ line: line.number, event: parsed.event });
      else refused({ line: line.number, ...parsed });
    }
    await sender.end();
  } catch (error) {
    settling.abandon();
    throw error;
  }
  settling.close();
  return { unsettled: await settled };
}

async function* counted(
  chunks: AsyncIterable<Uint8Array | string>,
  counts: ImportCounts,
): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of chunks) {
    counts.bytes += chunk.length;
    yield chunk;
  }
}
