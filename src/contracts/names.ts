/**
 * The closed lists of Cairn. Every list here is held by a CHECK constraint in the database too;
 * adding a member means a migration and a reader for it in every `satisfies never`.
 */

export const CARD_KINDS = [
  'experience',
  'constraint',
  'delegation',
  'knowledge',
  'insight',
  'convention',
  'competence',
  'skill_lesson',
] as const;
export type CardKind = (typeof CARD_KINDS)[number];

export const TIERS = ['episodic', 'semantic', 'procedural'] as const;
export type Tier = (typeof TIERS)[number];

/** The tier follows from the kind; it is stored so that retention and export can name it. */
export const TIER_OF_KIND: Readonly<Record<CardKind, Tier>> = {
  experience: 'episodic',
  constraint: 'episodic',
  delegation: 'episodic',
  knowledge: 'semantic',
  insight: 'semantic',
  convention: 'semantic',
  competence: 'semantic',
  skill_lesson: 'procedural',
};

export const SIGNS = ['worked', 'failed', 'neutral'] as const;
export type Sign = (typeof SIGNS)[number];

export const CARD_STATUSES = [
  'pending',
  'active',
  'validated',
  'rejected',
  'quarantined',
  'superseded',
  'archived',
  'deleted',
] as const;
export type CardStatus = (typeof CARD_STATUSES)[number];

/** Statuses that recall may show. Browsing shows `superseded` and `archived` too. */
export const RECALLED_STATUSES = ['pending', 'active', 'validated'] as const;

export const SCOPE_TYPES = ['agent', 'team', 'workspace'] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

export const VISIBILITIES = ['private', 'household', 'organization'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const TRUSTS = ['person', 'runtime', 'agent', 'web'] as const;
export type Trust = (typeof TRUSTS)[number];

export const CARD_FLAGS = ['instruction_like'] as const;
export type CardFlag = (typeof CARD_FLAGS)[number];

export const DISTILLED_BY = ['model', 'fallback', 'person'] as const;
export type DistilledBy = (typeof DISTILLED_BY)[number];

export const EVENT_KINDS = [
  'service_call',
  'chat',
  'workflow_step',
  'delegation',
  'failure',
  'observation',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const OUTCOMES = ['worked', 'failed', 'blocked', 'neutral'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const DISPOSITIONS = [
  'pending',
  'carded',
  'mode_off',
  'mode_manual',
  'transient',
  'sensitive',
  'quarantined',
  'duplicate_content',
  'erased',
  'failed',
] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export const WRITE_ROUTES = ['durable', 'transient', 'sensitive'] as const;
export type WriteRoute = (typeof WRITE_ROUTES)[number];

export const MEMORY_MODES = ['automatic', 'manual', 'off'] as const;
export type MemoryMode = (typeof MEMORY_MODES)[number];

/** `derived_from` and `supersedes` are lineage; the other four are evidence. */
export const EDGE_TYPES = [
  'supports',
  'constrains',
  'satisfies',
  'conflicts',
  'derived_from',
  'supersedes',
] as const;
export type EdgeType = (typeof EDGE_TYPES)[number];

export const GRANT_TYPES = ['explicit', 'agent_group', 'household', 'organization'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** The distinct ways in which a card can be visible; the names of recall's `pools`. */
export const VIAS = [
  'own',
  'team',
  'workspace',
  'ancestor',
  'predecessor',
  'explicit',
  'agent_group',
  'household',
  'organization',
  'person',
] as const;
export type Via = (typeof VIAS)[number];

export const PRINCIPAL_KINDS = ['person', 'agent', 'runtime'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

/** Who a card can be written by: a pass writes in nobody's name. */
export const WRITER_KINDS = [...PRINCIPAL_KINDS, 'system'] as const;
export type WriterKind = (typeof WRITER_KINDS)[number];

export const PERSON_ROLES = ['owner', 'operator', 'reviewer', 'auditor', 'member'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

export const EXECUTION_MODES = ['interactive', 'headless'] as const;
export type ExecutionMode = (typeof EXECUTION_MODES)[number];

export const INTENTS = ['act', 'plan', 'look_up'] as const;
export type Intent = (typeof INTENTS)[number];

export const RECALL_PROFILES = ['fleet', 'episodic'] as const;
export type RecallProfile = (typeof RECALL_PROFILES)[number];

/** In the order in which the packed context shows them. */
export const SECTIONS = ['avoid', 'worked', 'who', 'conventions', 'known', 'lessons'] as const;
export type Section = (typeof SECTIONS)[number];

export const ERROR_FAMILIES = [
  'not_found',
  'permission',
  'rate_limit',
  'timeout',
  'validation',
  'conflict',
  'insufficient',
  'syntax',
  'auth',
  'unavailable',
  'unfinished',
  'other',
] as const;
export type ErrorFamily = (typeof ERROR_FAMILIES)[number];

export const RUN_TYPES = [
  'capture',
  'embed',
  'redistill',
  'reembed',
  'consolidation',
  'reflection',
  'recalibration',
  'retention',
  'learning',
  'proposal',
  'seal',
  'compaction',
  'rescan',
  'insight',
  'import',
  'erasure',
] as const;
export type RunType = (typeof RUN_TYPES)[number];

/** Of this program, as Temporal shows them. */
export const WORKFLOW_TYPES = [
  'capture',
  'embed',
  'redistill',
  'reembed',
  'sweep',
  'proposal',
  'seal',
  'fanOut',
  'consolidateScope',
  'reflectScope',
  'recalibrate',
  'retain',
  'learn',
  'compact',
  'rescan',
  'insight',
  'importFile',
  'erase',
] as const;
export type WorkflowType = (typeof WORKFLOW_TYPES)[number];

export const OPERATION_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

export const ITEM_STATUSES = ['accepted', 'duplicate', 'refused'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const REFUSALS = [
  'invalid',
  'too_large',
  'agent_conflict',
  'pii_in_identifier',
  'secret_in_identifier',
  'stopped',
  'erased',
  'event_id_conflict',
] as const;
export type Refusal = (typeof REFUSALS)[number];

export const REDACTION_TYPES = [
  'token',
  'auth_header',
  'private_key',
  'password',
  'email',
  'phone',
  'card',
  'iban',
  'ssn',
  'external_ip',
  'name',
  'failed',
] as const;
export type RedactionType = (typeof REDACTION_TYPES)[number];
