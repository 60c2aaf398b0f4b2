import type { MemoryMode, PersonRole, PrincipalKind } from './names';

/** Who a page or a program is, and what it may do: `GET /v1/session`. */
export interface ConsoleSession {
  workspace: { id: string; name: string; memory_mode: MemoryMode };
  principal: {
    kind: PrincipalKind;
    id: string;
    /** Of a person; null for an agent and a runtime. */
    name: string | null;
    role: PersonRole | null;
    /** The owner key of the installation: it may make workspaces, and act as a runtime. */
    installation: boolean;
  };
  /** Routes that this caller may use, as `GET /v1/cards/:id`. */
  allowed: string[];
  /** For the header `Cairn-CSRF` of whatever changes something; null for a caller with a key. */
  csrf: string | null;
  /** When the session, or the key, is over; null where the key has no end. */
  expires_at: string | null;
  /** Where histories are looked at; `ui` is null where the URL of Temporal's UI is not known. */
  temporal: { ui: string | null; namespace: string } | null;
  version: string;
  /** Of the policy: in which zone nightly work is planned. */
  timezone: string;
}

/** What a page may have to read again. A skill is a card too, so its topic comes with `cards`. */
export const STREAM_TOPICS = [
  'actions',
  'agents',
  'audit',
  'cards',
  'config_fixes',
  'conversations',
  'erasures',
  'events',
  'insights',
  'keys',
  'legal_holds',
  'pending_writes',
  'people',
  'policy',
  'projects',
  'proposals',
  'runs',
  'sessions',
  'skills',
  'sources',
  'subjects',
  'teams',
  'webhooks',
  'workspace',
] as const;
export type StreamTopic = (typeof STREAM_TOPICS)[number];

/** The first event of `GET /v1/stream`: from here on everything is told. */
export interface StreamHello {
  /** Of the newest row of the audit log. */
  seq: number;
}

/** An event `change` of `GET /v1/stream`. */
export interface StreamChange extends StreamHello {
  topics: StreamTopic[];
  /** At most 50 of a topic. A topic without a list: any of its things may have changed. */
  ids: Partial<Record<StreamTopic, string[]>>;
}
