import type { Json, JsonObject } from '../contracts/event';
import type { RescanPlace } from '../contracts/rescan';
import { lexicalTerms } from '../domain/terms';
import { classifyIdentifier } from '../redaction/identifier';
import { addCounts, type RedactionCounts, type RedactionOptions } from '../redaction/scanner';
import { type FieldKind, PLACES } from '../store/rescan-places';
import type { KnownSecrets, RescanRow, RowRepair } from '../store/rescan-rows';
import { FieldRedactor, type PlainKind } from './field-redactor';
import { literalsOf } from './found-literals';

type Row = Pick<RescanRow, 'key' | 'values'>;

const NOTHING: KnownSecrets = { literals: new Map(), vanished: new Set() };

/**
 * Looks at one row as intake would today.
 * @param known what was taken out of what this row was made from: it goes from here too, wherever it stands
 * @returns null where the row may stay as it is
 */
export function repairOf(
  place: RescanPlace,
  row: Row,
  options: RedactionOptions,
  known: KnownSecrets = NOTHING,
): RowRepair | null {
  if (place === 'card_versions') return ofSnapshot(row.values.snapshot ?? null, options, known);
  const fields = Object.entries(PLACES[place].fields);
  const first = ofRow(fields, row, options, known);
  if (first === null) return null;
  // What was found in one field goes from the others too, where nothing around it tells what it is.
  const literals = new Map([...known.literals, ...first.literals]);
  const repair =
    first.literals.size === 0
      ? first
      : (ofRow(fields, row, options, { ...known, literals }) ?? first);
  const found = { ...repair, literals: new Map([...first.literals, ...repair.literals]) };
  if (place !== 'events') return found;
  const redactions = { ...((row.values.redactions ?? {}) as RedactionCounts) };
  addCounts(redactions, repair.counts);
  return { ...found, changes: { ...repair.changes, redactions: redactions as JsonObject } };
}

/** An older version of a card is looked at as the card is. */
function ofSnapshot(
  snapshot: Json,
  options: RedactionOptions,
  known: KnownSecrets,
): RowRepair | null {
  if (typeof snapshot !== 'object' || snapshot === null || Array.isArray(snapshot)) return null;
  const repair = repairOf('cards', { key: {}, values: snapshot }, options, known);
  if (repair === null) return null;
  return { ...repair, changes: { snapshot: { ...snapshot, ...repair.changes } as JsonObject } };
}

/** Lists of the words of a text beside it. */
const WORD_LISTS: readonly FieldKind[] = ['keywords', 'words'];

function ofRow(
  fields: readonly [string, FieldKind][],
  row: Row,
  options: RedactionOptions,
  known: KnownSecrets,
): RowRepair | null {
  const redactor = new FieldRedactor(options, known.literals);
  const changes: Record<string, Json> = {};
  const literals = new Map<string, string>();
  const vanished = new Set<string>();
  const change = (column: string, before: Json, after: Json) => {
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    changes[column] = after;
    for (const [literal, stands] of literalsOf(before, after)) literals.set(literal, stands);
    const words = wordsOf(after);
    for (const word of wordsOf(before)) if (!words.has(word)) vanished.add(word);
  };
  for (const [column, kind] of fields) {
    if (WORD_LISTS.includes(kind)) continue;
    const before = row.values[column] ?? null;
    change(column, before, redactor.field(kind as PlainKind, before, row.key.key));
  }
  const gone = new Set([...known.vanished, ...vanished]);
  for (const [column, kind] of fields) {
    const before = row.values[column];
    if (!WORD_LISTS.includes(kind) || !Array.isArray(before)) continue;
    const left = before.filter((word) => !saysVanished(String(word), gone));
    change(column, before, redactor.field('texts', left));
  }
  if (Object.keys(changes).length === 0) return null;
  return { changes, counts: redactor.counts, literals, vanished };
}

function wordsOf(value: Json): Set<string> {
  if (typeof value === 'string') return new Set(lexicalTerms(value).keys());
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.values(value).flatMap((inner) => [...wordsOf(inner)]));
}

/** Whether a word, or an item of several, tells of what is gone. */
function saysVanished(word: string, vanished: ReadonlySet<string>): boolean {
  if (vanished.size === 0) return false;
  return vanished.has(word) || [...lexicalTerms(word).keys()].some((term) => vanished.has(term));
}

/** Columns and members of payloads that are checked and not rewritten. */
const IDENTIFIERS = [
  ...['key', 'subject', 'project', 'service', 'operation', 'task_type', 'step'],
  ...['event_id', 'session', 'task', 'parent_event', 'agent', 'team'],
];

/** Whether what this row is called by holds what would be refused today. */
export function hasSecretIdentifier({ key, values }: Row, options: RedactionOptions): boolean {
  const payload = values.payload;
  const holder = typeof payload === 'object' && payload !== null ? (payload as JsonObject) : values;
  const named = [...Object.values(key), ...IDENTIFIERS.map((field) => holder[field])];
  return named.some(
    (value) => typeof value === 'string' && classifyIdentifier(value, options).secret,
  );
}
