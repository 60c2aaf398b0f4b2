import type { EventRecord } from '../contracts/event';
import type { Disposition } from '../contracts/names';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';
import { SUBJECTS_OFF } from './subjects';

/** Of an event that was not to be remembered, kind, outcome and time were never kept. */
export type EventRow = Omit<EventRecord, 'kind' | 'outcome' | 'occurred_at'> & {
  [Field in 'kind' | 'outcome' | 'occurred_at']: EventRecord[Field] | null;
};

/** Whose events a reader may see; null bounds nothing. */
export interface EventReader {
  agent: string | null;
  /** Events about this subject only. */
  subject: string | null;
}

export interface EventFilter {
  disposition: Disposition | null;
  agent: string | null;
  since: Date | null;
}

/** What an agent told is memory too: with memory off, its own or the subject's, only what became of it is left. */
const PAYLOAD = `CASE WHEN $2::text IS NULL
                       OR NOT memory_off($1, $2) AND (e.payload ->> 'subject' IN (${SUBJECTS_OFF})) IS NOT TRUE
                      THEN e.payload END`;

const SELECT = `SELECT e.event_id, e.agent_id AS agent, e.kind, e.outcome, e.occurred_at, e.recorded_at,
                       ${PAYLOAD} AS event, e.redactions, c.disposition, c.reason, c.card_id, c.operation_id,
                       c.needs_distill
                  FROM events e
                  JOIN captures c ON c.workspace_id = e.workspace_id AND c.event_id = e.event_id
                 WHERE e.workspace_id = $1
                   AND ($2::text IS NULL OR e.agent_id = $2)
                   AND ($3::text IS NULL OR e.payload ->> 'subject' = $3)`;

export async function readEventRecord(
  tx: Tx,
  eventId: string,
  reader: EventReader,
): Promise<EventRow | null> {
  const [row] = await tx.query<EventRow>(`${SELECT} AND e.event_id = $4`, [
    tx.workspace,
    reader.agent,
    reader.subject,
    eventId,
  ]);
  return row ?? null;
}

/** Newest first. The events of a batch have one time: `events_by_recording` goes on by id, upwards. */
export async function listEventRecords(
  tx: Tx,
  reader: EventReader,
  filter: EventFilter,
  page: { after: readonly [string, string] | null; limit: number },
): Promise<Slice<EventRow>> {
  const matching = `${SELECT} AND ($4::text IS NULL OR e.agent_id = $4)
                              AND ($5::text IS NULL OR c.disposition = $5)
                              AND ($6::timestamptz IS NULL OR e.recorded_at >= $6)`;
  const values = [
    tx.workspace,
    reader.agent,
    reader.subject,
    filter.agent,
    filter.disposition,
    filter.since,
  ];
  const rows = await tx.query<EventRow>(
    `${matching}
       AND ($7::timestamptz IS NULL OR e.recorded_at <= $7)
       AND ($7::timestamptz IS NULL OR e.recorded_at < $7 OR e.event_id > $8)
     ORDER BY e.recorded_at DESC, e.event_id
     LIMIT $9`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, matching, values) };
}
