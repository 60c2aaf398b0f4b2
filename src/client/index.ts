/** What the package exports: the client, its errors, and the wire types it speaks in. */

export type {
  AuditExportLine,
  AuditFault,
  AuditRow,
  AuditSeal,
  AuditVerification,
} from '../contracts/audit';
export type { Card, CardEdge, CardHints, CardScope } from '../contracts/card';
export type { CompetenceRecord } from '../contracts/competence';
export type { ConsoleSession, StreamChange, StreamHello, StreamTopic } from '../contracts/console';
export type {
  AppendedMessages,
  ClosedConversation,
  ContextFact,
  ContextMessage,
  Conversation,
  ConversationContext,
  ConversationStatus,
  ConversationSummary,
  MessageRole,
  NewMessage,
  ShownMessage,
} from '../contracts/conversation';
export type {
  Erasure,
  ErasureAccepted,
  ErasureCounts,
  ErasureReceipt,
  ErasureSelector,
  ErasureStatus,
} from '../contracts/erasure';
export type {
  ErasureVerification,
  ReturnedPlace,
  TombstonesApplied,
  TombstonesFile,
} from '../contracts/erasure-proof';
export type {
  EventItem,
  EventRecord,
  Json,
  JsonObject,
  Refused,
  SettledEvent,
} from '../contracts/event';
export type { CardFacets, Facet, FacetValue } from '../contracts/facets';
export type { CardGraph, GraphEdge, GraphNode } from '../contracts/graph';
export type {
  ActionEvidence,
  ActionOutcome,
  ActionPriority,
  ActionStatus,
  FollowUpAnswer,
  Insight,
  InsightAction,
  InsightOrigin,
  KnownAction,
  MetricGoal,
  MetricSnapshot,
  OutcomeResult,
  Severity,
  Urgency,
} from '../contracts/insight';
export type { HoldSelector, LegalHold } from '../contracts/legal-hold';
export type { CaptureResult, EdgeWritten } from '../contracts/messages';
export type * from '../contracts/names';
export type {
  CardShare,
  LanguageModel,
  MemoryQuality,
  ModelSpending,
  Models,
  Overview,
  SpendingBy,
} from '../contracts/overview';
export type { PassBudget, RunChange, RunChangeKind, ScheduledPass } from '../contracts/passes';
export type {
  PendingWrite,
  PendingWriteStatus,
  PendingWriteType,
} from '../contracts/pending-write';
export type { Policy, PolicyPatch } from '../contracts/policy';
export type { PolicyEffects, PolicyPreview } from '../contracts/policy-preview';
export type { Agent, ApiKey, Person } from '../contracts/principal';
export type {
  ArchiveChange,
  AskedPromotion,
  CardVersions,
  ConfigFix,
  ConfigFixChange,
  ConfigFixStatus,
  ContradictionChange,
  Decision,
  EvidenceCard,
  LinkChange,
  MergeChange,
  PromotionChange,
  Proposal,
  ProposalChange,
  ProposalDecision,
  ProposalDetail,
  ProposalStatus,
  ProposalType,
  ReflectedChange,
} from '../contracts/proposal';
export type {
  Dropped,
  RecallAnswer,
  RecalledCard,
  RecallFeedback,
  RecallFilters,
  RecallRequest,
} from '../contracts/recall';
export type {
  NotUndone,
  Operation,
  Page,
  Run,
  RunChangeLine,
  RunDetail,
  RunDraft,
  RunUndone,
} from '../contracts/run';
export type { BlackboardEntry, Session, SessionStatus } from '../contracts/session';
export type {
  FoundSkill,
  ReplayResult,
  Skill,
  SkillCase,
  SkillDiff,
  SkillDocument,
  SkillEntry,
  SkillSectionDiff,
  SkillStatus,
  SkillTest,
  SkillTestResult,
  SkillVersionEntry,
  SkillVersionStatus,
  TraceStep,
} from '../contracts/skill';
export type { Source, SourceKind } from '../contracts/source';
export type { CardStop, InjectedAgent, StopAction, StoppedCard } from '../contracts/stop';
export type { CardStory } from '../contracts/story';
export type {
  StepFailure,
  StepKind,
  StepStatus,
  Timeline,
  TimelineStatus,
  TimelineStep,
} from '../contracts/timeline';
export type {
  ExportLine,
  ExportManifest,
  ExportSignature,
  ImportedNot,
  ImportResult,
  ImportTaken,
} from '../contracts/transfer';
export type {
  DeliveryState,
  Webhook,
  WebhookBody,
  WebhookDelivery,
  WebhookEvent,
} from '../contracts/webhook';
export type { Actions } from './actions';
export type { Audit, AuditFilters } from './audit';
export { CaptureHandle, type CaptureOutcome, type RefusedEvent } from './capture-handle';
export type { CaptureOptions } from './capturing';
export type {
  CardChange,
  CardFilters,
  GraphOptions,
  NewCard,
  PromotionRequest,
  StopRequest,
} from './card-requests';
export type { CardReader, Cards, CardVersion, Lineage, Relative, VisibleTo } from './cards';
export type { ChangesOptions, StreamEvent } from './changes';
export { CairnClient, type RequestOptions, type Speaking } from './client';
export type { ConfigFixes, ConfigFixFilters } from './config-fixes';
export type { ContextOptions, ConversationFilters, Conversations } from './conversations';
export type { AgentChange, Agents, People, PersonChange } from './directory';
export type { ErasureOptions, Erasures } from './erasures';
export { CairnError, type ProblemDocument } from './error';
export type { EventFilters, Events } from './events';
export type { InsightFilters, InsightMetric, Insights, NewInsight } from './insights';
export type { KeyRotation, Keys, NewKey } from './keys';
export type { LegalHolds } from './legal-holds';
export type { MetricFilters, Metrics, NewMetric } from './metrics';
export type { Note, NoteFilters, Notes } from './notes';
export type { Operations, WaitOptions } from './operations';
export type { PageOptions } from './paging';
export type { PendingWriteFilters, PendingWrites } from './pending-writes';
export type { Policies, VersionedPolicy } from './policy';
export type { ProposalFilters, Proposals, ProposalVerdict } from './proposals';
export type { PassOptions, RunFilters, Runs } from './runs';
export type { Blackboard, PutEntryOptions, Sessions } from './sessions';
export type { NewSkill, NewSkillVersion, SkillScope, Skills } from './skills';
export type { SourceFilters, Sources } from './sources';
export type { Tombstones } from './tombstones';
export type { ExportOptions, ImportOptions, Transfers } from './transfers';
export type { CallOptions, ClientOptions, Query, QueryValue } from './transport';
export type { WebhookChange, Webhooks } from './webhooks';
