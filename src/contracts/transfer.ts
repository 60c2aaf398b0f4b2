import type { JsonObject } from './event';

/** Exports and imports: one file of lines of JSON, signed, that one workspace leaves by and another comes in by. */

export const EXPORT_FORMAT = 'cairn-export';
/** Of the file's form. A reader refuses a higher one. */
export const EXPORT_VERSION = 1;

/** What an export is of: all of a workspace, what is about one subject, or what one agent sees. */
export const EXPORT_SCOPES = ['workspace', 'subject', 'agent'] as const;
export type ExportScope = (typeof EXPORT_SCOPES)[number];

/** The first line. */
export interface ExportManifest {
  type: 'manifest';
  format: typeof EXPORT_FORMAT;
  version: typeof EXPORT_VERSION;
  id: string;
  /** RFC 3339. */
  made_at: string;
  workspace: { id: string; name: string; memory_mode: string };
  of: { scope: ExportScope; id: string };
  /** The last migration of the database that it was read from. */
  schema: string;
  /** `snapshot`: everything is of one moment. `pages`: each page is; a row that changed meanwhile is once as it was or as it is. */
  consistency: 'snapshot' | 'pages';
  /** Lines of each type, counted before the first was written. */
  counts: Record<string, number>;
  /** A sentence on what was taken out of the texts, and when. */
  redaction: string;
  /** The key that the last line is signed with. */
  key_id: string;
}

/** A line between the first and the last: one row, by the names of its columns. */
export interface ExportLine {
  type: string;
  row: JsonObject;
}

/** The last line. */
export interface ExportSignature {
  type: 'signature';
  /** Lines before this one, the manifest included. */
  lines: number;
  /** Of these lines, hex: each is hashed together with the hash before it. */
  chain: string;
  signature: string;
  key_id: string;
  public_key: string;
}

/** Why a line was not taken. */
export const IMPORT_PROBLEMS = [
  /** Something else stands here under this id, or holds what only one may hold; it stays. */
  'conflict',
  /** It was erased here, or is about somebody who was. */
  'erased',
  /** What it refers to is neither here nor in the file. */
  'missing_reference',
  /** A value that this database does not take. */
  'invalid',
  /** An identifier in it holds a secret. */
  'secret_in_identifier',
  /** Who imports may not make this: an owner is made by owners. */
  'not_allowed',
] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];

/** A line that was not taken, by its number in the file, counted from 1. */
export interface ImportedNot {
  line: number;
  type: string;
  /** Null of what is erased: its ids stand nowhere, and so not here. */
  id: string | null;
  code: ImportProblem;
}

/** What `POST /v1/import` answers. */
export interface ImportTaken {
  import_id: string;
  /** `receiving` while the last line, the signature, is still to come. */
  status: 'receiving' | 'accepted';
  /** How many lines are held so far: the next part begins after them. */
  lines: number;
  /** Of the run that applies them; null while lines are still to come. */
  operation_id: string | null;
}

/** What the workflow of an import is started with. */
export interface ImportInput {
  workspace: string;
  import_id: string;
  operation_id: string;
}

/** Numbers alone. `known` were here already, the same. */
export interface ImportCounts {
  lines: number;
  imported: number;
  known: number;
  skipped: number;
  /** Places in which the redaction of today found something. */
  redactions: number;
}

export interface ImportBatch extends ImportCounts {
  done: boolean;
}

/** Reads as the record of one import. */
export interface ImportResult extends ImportCounts {
  /** `partial`: lines were skipped; the operation's result names them. */
  status: 'completed' | 'partial' | 'cancelled';
}
