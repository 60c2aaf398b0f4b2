import type { Json, JsonObject, SettledEvent } from '../contracts/event';
import { redactJson } from '../redaction/json';
import {
  addCounts,
  type RedactionCounts,
  type RedactionOptions,
  redactText,
} from '../redaction/scanner';
import type { FieldKind } from '../store/rescan-places';
import { fitBoardValue } from './board-value';
import { fitSummary } from './card-content';
import { type Literals, withoutLiterals } from './found-literals';
import { fitMessageText } from './message-text';
import { redactContent } from './prepare';

/** Kinds of fields that stand for themselves; the others hang together with their row. */
export type PlainKind = Exclude<FieldKind, 'snapshot' | 'keywords' | 'words'>;

/** What a document of ours calls things by: checked when it was made, and never words. */
const CALLED = new RegExp(
  '^(?:(?:.*_)?(?:id|ids|type|kind|status|sign|code|at|from|until)|subject|agent|team|person|service|operation|' +
    'workflow|step|task_type|task|session|project|key|scope|parent_event|events|cards|sources|evidence|tool|unit|' +
    'currency|per|priority|hash)$',
);
/** Members of a document that are somebody else's JSON: their keys say how their values are read. */
const FOREIGN = /^(?:metadata|inputs?|outputs?|error|arguments|payload|fields|input_fields)$/;

const NONE: Literals = new Map();

/** Scans fields again as intake would today, and takes out what is known to be a secret from elsewhere. */
export class FieldRedactor {
  /** What was found and taken out so far. */
  readonly counts: RedactionCounts = {};
  private readonly directory: RedactionOptions;

  constructor(
    private readonly options: RedactionOptions,
    private readonly literals: Literals = NONE,
  ) {
    // The directory is where names and, as tokens, contacts live.
    this.directory = { ...options, names: [], keepContactData: false };
  }

  /** A field as it may stand from now on. @param key of its row, where that says how a value is read */
  field(kind: PlainKind, value: Json, key = ''): Json {
    if (value === null) return null;
    switch (kind) {
      case 'text':
        return this.text(value, this.options);
      case 'summary':
        return this.fitted(value, redactText, fitSummary);
      case 'message':
        return this.fitted(value, redactJson, fitMessageText);
      case 'name':
        return this.text(value, this.directory);
      case 'texts':
        return Array.isArray(value) ? value.map((one) => this.text(one, this.options)) : value;
      case 'json':
        return this.json(value);
      case 'leaves':
        return this.leaves(value);
      case 'value':
        return this.counted(value, (inner) => {
          const { counts } = redactJson({ [key]: inner }, this.options);
          return { value: fitBoardValue(key, inner, this.options), counts };
        });
      case 'payload':
        return this.counted(value, (inner) => {
          const { event, counts } = redactContent(inner as unknown as SettledEvent, this.options);
          return { value: event as unknown as Json, counts };
        });
      default:
        return kind satisfies never;
    }
  }

  private text(value: Json, options: RedactionOptions): Json {
    if (typeof value !== 'string') return value;
    const { value: text, counts } = redactText(this.withoutKnown(value), options);
    addCounts(this.counts, counts);
    return text;
  }

  /** Fitted as intake does, where there is anything to be found: a text without stays as it is to the letter. */
  private fitted(
    value: Json,
    scan: (text: string, options: RedactionOptions) => { counts: RedactionCounts },
    fitting: (text: string, options: RedactionOptions) => string,
  ): Json {
    if (typeof value !== 'string') return value;
    const known = this.withoutKnown(value);
    const { counts } = scan(known, this.options);
    if (Object.keys(counts).length === 0) return known;
    addCounts(this.counts, counts);
    return fitting(known, this.options);
  }

  private json(value: Json): Json {
    return this.counted(value, (inner) => redactJson(inner, this.options));
  }

  private counted(
    value: Json,
    redact: (value: Json) => { value: Json; counts: Record<string, number> | RedactionCounts },
  ): Json {
    const known = this.everywhere(value);
    const { value: redacted, counts } = redact(known);
    if (Object.keys(counts).length === 0) return known;
    addCounts(this.counts, counts as RedactionCounts);
    return redacted;
  }

  private leaves(value: Json): Json {
    if (typeof value === 'string') return this.text(value, this.options);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.leaves(one));
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (CALLED.test(key)) return [key, inner];
        return [key, FOREIGN.test(key) ? this.json(inner) : this.leaves(inner)];
      }),
    );
  }

  private everywhere(value: Json): Json {
    if (this.literals.size === 0) return value;
    if (typeof value === 'string') return this.withoutKnown(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((one) => this.everywhere(one));
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, inner]) => [
        this.withoutKnown(key),
        this.everywhere(inner),
      ]),
    );
  }

  private withoutKnown(value: string): string {
    if (this.literals.size === 0) return value;
    const { text, counts } = withoutLiterals(value, this.literals);
    addCounts(this.counts, counts);
    return text;
  }
}
