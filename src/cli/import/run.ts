import type { CairnClient } from '../../client/client';
import { linesOf } from '../../domain/text-lines';
import type { ImportCounts, LineProblem } from './counts';
import { eventIn, type ProblemCode } from './event-line';
import { type NumberedEvent, Sender } from './sender';
import { Settling } from './settling';

/** One of what a file holds: an event, or what keeps it from being one. */
export type Entry =
  | NumberedEvent
  | { line: number; code: ProblemCode | EntryProblem; reason: string };
/** Of the files of other programs. */
export type EntryProblem = 'not_text' | 'not_a_memory';

interface EntriesRequest {
  client: CairnClient;
  /** Until every event has its card, or the reason why it has none. */
  wait: boolean;
  problem(problem: LineProblem): void;
  note(line: string): void;
  /** Filled in as it goes. */
  counts: ImportCounts;
  /** Its event ids say what they hold: one that is there with another time or agent is the same. */
  idsAreContent?: true;
}

export interface ImportRequest extends EntriesRequest {
  chunks: AsyncIterable<Uint8Array | string>;
  omit: ReadonlySet<string>;
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
  return await importEntries(
    request,
    entriesIn(counted(request.chunks, request.counts), request.omit),
  );
}

async function* entriesIn(
  chunks: AsyncIterable<Uint8Array | string>,
  omit: ReadonlySet<string>,
): AsyncGenerator<Entry> {
  for await (const line of linesOf(chunks)) {
    if ('problem' in line) yield { line: line.number, code: 'not_text', reason: line.problem };
    else if (line.text.trim() !== '') yield { line: line.number, ...eventIn(line.text, omit) };
  }
}

/** The same of events that were made of something else. @throws what stopped it */
export async function importEntries(
  request: EntriesRequest,
  entries: AsyncIterable<Entry>,
): Promise<ImportOutcome> {
  const { client, counts, wait } = request;
  const settling = new Settling(client, counts);
  const refused = (problem: LineProblem) => {
    if (request.idsAreContent === true && problem.code === 'event_id_conflict') {
      counts.duplicates += 1;
      return;
    }
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
    for await (const entry of entries) {
      counts.lines += 1;
      if ('event' in entry) await sender.add(entry);
      else refused(entry);
    }
    await sender.end();
  } catch (error) {
    settling.abandon();
    throw error;
  }
  settling.close();
  return { unsettled: await settled };
}

export async function* counted(
  chunks: AsyncIterable<Uint8Array | string>,
  counts: ImportCounts,
): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of chunks) {
    counts.bytes += chunk.length;
    yield chunk;
  }
}
