import type { Json } from '../contracts/event';
import { labelsInUse } from './card-writes-erased-labels';
import type { Tx } from './database';

/** A piece is cut at white space; long enough to be nobody else's sentence, short enough for a quotation of it. */
const PIECE = 48;
/** From the beginning, the middle and the end of a text. */
const PIECES = 3;
/** Shorter texts are codes and words that anybody uses; of letters beyond ASCII a few say as much. */
const SHORTEST = 16;
const SHORTEST_OF_OTHER_SCRIPTS = 4;
/** Without white space or a foreign letter, a text is a name of a service or a field until it is this long. */
const LONGEST_CODE = 32;
/** Kinds of items whose ids callers chose, and that are gone for good. */
const NAMED_BY_CALLERS = ['event', 'subject', 'person', 'agent', 'project', 'conversation'];
/** Of one erasure: enough to be found by, and few enough to be looked for in one walk. */
const MOST_TEXTS = 2_000;

export interface WhatGoes {
  /** Ids that callers chose: of events, subjects, people, agents, projects, conversations. None of ours. */
  ids?: readonly (string | null)[];
  /** Whatever holds text: strings, or any JSON, of which the strings and keys are taken. None that a pass wrote. */
  texts?: readonly (Json | null)[];
}

/**
 * Keeps what the search after an erasure looks for, in the transaction that takes it away and before that. Of ids all
 * are kept, of texts distinctive pieces, as many as may be.
 */
export async function noteTerms(
  tx: Tx,
  erasureId: string,
  { ids = [], texts = [] }: WhatGoes,
): Promise<void> {
  const named = [...new Set(ids.flatMap((id) => id ?? []))];
  const pieces = [...new Set(texts.flatMap((text) => stringsOf(text).flatMap(piecesOf)))];
  await tx.query(
    `WITH room AS (
       SELECT ${MOST_TEXTS} - count(*) AS left_over
         FROM erasure_terms t
        WHERE t.workspace_id = $1 AND t.erasure_id = $2 AND t.kind = 'text'
     )
     INSERT INTO erasure_terms (workspace_id, erasure_id, term, kind)
     SELECT $1, $2, i.term, 'id' FROM unnest($3::text[]) AS i (term)
     UNION
     SELECT $1, $2, p.term, 'text'
       FROM unnest($4::text[]) WITH ORDINALITY AS p (term, n)
      WHERE p.n <= (SELECT left_over FROM room) AND p.term <> ALL ($3::text[])
     ON CONFLICT DO NOTHING`,
    [tx.workspace, erasureId, named, pieces],
  );
}

/** Up to three pieces of a text that hardly anybody else says; none of what is a code, a number or a time. */
export function piecesOf(text: string): string[] {
  const plain = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  const foreign = /[^\x00-\x7f]/u.test(plain);
  const letters = [...plain].filter((one) => /\p{L}|\p{Extended_Pictographic}/u.test(one)).length;
  if (plain.length < (foreign ? SHORTEST_OF_OTHER_SCRIPTS : SHORTEST) || letters < 3) return [];
  if (!foreign && !plain.includes(' ') && plain.length <= LONGEST_CODE) return [];
  if (plain.length <= PIECE) return [plain];
  const last = plain.length - PIECE;
  const starts = Array.from({ length: PIECES }, (_, n) => Math.round((last * n) / (PIECES - 1)));
  return [...new Set(starts.map((start) => wholeWords(plain, start)))];
}

/** At most a piece's length from there, without the halves of words at its ends where it has spaces. */
function wholeWords(text: string, start: number): string {
  const from = start === 0 || text[start - 1] === ' ' ? start : nextSpace(text, start);
  const end = Math.min(from + PIECE, text.length);
  const cut = end === text.length ? end : text.lastIndexOf(' ', end);
  const piece = cut > from + SHORTEST ? text.slice(from, cut) : text.slice(from, end);
  // What was cut in two is left out.
  return piece.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '').trim();
}

function nextSpace(text: string, start: number): number {
  const space = text.indexOf(' ', start);
  return space === -1 || space - start > PIECE / 2 ? start : space + 1;
}

function stringsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  return Object.entries(value).flatMap(([key, held]) => [key, ...stringsOf(held)]);
}

export interface ErasureTerms {
  ids: string[];
  texts: string[];
}

/** Of the items that callers name, their ids; tasks and sessions that neither an event nor a card names any more; and the texts. */
export async function readTerms(tx: Tx, erasureId: string): Promise<ErasureTerms> {
  const rows = await tx.query<{ term: string; kind: 'id' | 'label' | 'text' }>(
    `SELECT i.id AS term, 'id' AS kind
       FROM erasure_items i
      WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.state <> 'held' AND i.kind = ANY ($3)
     UNION
     SELECT t.term, CASE t.kind WHEN 'id' THEN 'label' ELSE t.kind END
       FROM erasure_terms t
      WHERE t.workspace_id = $1 AND t.erasure_id = $2
        AND (t.kind = 'text' OR t.term NOT IN (
              SELECT l.label
                FROM events e
               CROSS JOIN LATERAL (VALUES (e.payload ->> 'task'), (e.payload ->> 'session')) AS l (label)
               WHERE e.workspace_id = $1 AND l.label IS NOT NULL))
      ORDER BY kind, term`,
    [tx.workspace, erasureId, NAMED_BY_CALLERS],
  );
  const of = (wanted: string) => rows.flatMap(({ term, kind }) => (kind === wanted ? [term] : []));
  const used = await labelsInUse(tx, of('label'));
  const labels = of('label').filter((label) => !used.has(label));
  return { ids: [...new Set([...of('id'), ...labels])], texts: of('text') };
}
