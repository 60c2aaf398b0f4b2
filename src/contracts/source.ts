/** Where memory comes from: a runtime's key, an agent, or a service that work was done with. */
export const SOURCE_KINDS = ['runtime', 'agent', 'service'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface Source {
  /** `<kind>:<name>`, such as `service:browser`. */
  id: string;
  kind: SourceKind;
  name: string;
  /** Of an agent this is its `writes_stopped`. */
  stopped: boolean;
  /** Why it was stopped or lifted last; null where nothing was said. */
  reason: string | null;
  /** Of the last stop or lift; null of an agent that was stopped as an agent. */
  changed_at: string | null;
}

export interface SourceName {
  kind: SourceKind;
  name: string;
}

/** @returns null where the text names no source */
export function sourceNamed(id: string): SourceName | null {
  const at = id.indexOf(':');
  const kind = SOURCE_KINDS.find((one) => one === id.slice(0, at));
  const name = id.slice(at + 1);
  return kind === undefined || name === '' ? null : { kind, name };
}
