import type { Json, JsonObject, SettledEvent } from '../contracts/event';
import { classifyIdentifier } from '../redaction/identifier';
import { redactJson } from '../redaction/json';
import { type RedactionOptions, redactText } from '../redaction/scanner';
import type { ExportTable } from '../store/export-table';
import { CARD_JSON, CARD_TEXTS } from '../store/export-tables';
import type { WorkspaceSettings } from '../store/settings';
import { redactContent } from './prepare';
import { redactionOf } from './redaction-of';

/** A row of an export, fit to be kept here. */
export interface FitRow {
  row: JsonObject;
  /** Places in which something was found. */
  redactions: number;
  /** An identifier of it holds a secret: it is not kept. */
  hasSecret: boolean;
}

/** Of whom a directory is: their names are not taken out of it. */
const DIRECTORY: ReadonlySet<string> = new Set(['team', 'subject', 'person', 'agent', 'project']);

/** Fits the rows of an export for a workspace, as it is set now. */
export type RowFitter = (table: ExportTable, row: JsonObject) => FitRow;

export function importedRowFitter(
  secretKey: string,
  workspace: string,
  settings: WorkspaceSettings,
): RowFitter {
  const options = redactionOf(secretKey, workspace, settings);
  return (table, row) => fitImportedRow(table, row, options);
}

/** What an older scanner let pass, or another installation keeps, passes the scanner of today once more. */
function fitImportedRow(table: ExportTable, row: JsonObject, options: RedactionOptions): FitRow {
  const scan = new Scan(DIRECTORY.has(table.type) ? { ...options, names: [] } : options);
  const fit = scan.columns(row, table.texts ?? [], table.json ?? []);
  if (table.type === 'event' && isObject(fit.payload)) fit.payload = scan.event(fit.payload);
  if (table.type === 'card_version' && isObject(fit.snapshot)) {
    fit.snapshot = scan.columns(fit.snapshot, CARD_TEXTS, CARD_JSON);
  }
  const hasSecret = (table.ids ?? []).some((column) => scan.isSecret(fit[column]));
  return { row: fit, redactions: scan.found, hasSecret };
}

class Scan {
  found = 0;

  constructor(private readonly options: RedactionOptions) {}

  columns(row: JsonObject, texts: readonly string[], json: readonly string[]): JsonObject {
    const fit: JsonObject = { ...row };
    for (const column of texts) if (column in row) fit[column] = this.text(row[column] ?? null);
    for (const column of json) if (column in row) fit[column] = this.json(row[column] ?? null);
    return fit;
  }

  event(payload: JsonObject): JsonObject {
    const { event, counts } = redactContent(payload as unknown as SettledEvent, this.options);
    this.count(counts);
    return event as unknown as JsonObject;
  }

  isSecret(value: Json | undefined): boolean {
    return typeof value === 'string' && classifyIdentifier(value, this.options).secret;
  }

  private text(value: Json): Json {
    if (Array.isArray(value)) return value.map((one) => this.text(one));
    if (typeof value !== 'string') return value;
    const redacted = redactText(value, this.options);
    this.count(redacted.counts);
    return redacted.value;
  }

  private json(value: Json): Json {
    if (value === null) return null;
    const redacted = redactJson(value, this.options);
    this.count(redacted.counts);
    return redacted.value;
  }

  private count(counts: Readonly<Record<string, number | undefined>>): void {
    for (const count of Object.values(counts)) this.found += count ?? 0;
  }
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
