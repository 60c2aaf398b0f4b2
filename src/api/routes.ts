import type { ApiDependencies, App } from './app';
import { consoleSessionRoutes } from './console/routes';
import { streamRoutes } from './console/stream';
import { memoryRoutes } from './memories/plugin';
import { enforceRoles } from './roles';
import { accessLogRoutes } from './routes/access-log';
import { actionRoutes } from './routes/actions';
import { agentGroupRoutes } from './routes/agent-groups';
import { agentRoutes } from './routes/agents';
import { auditRoutes } from './routes/audit';
import { auditChainRoutes } from './routes/audit-chain';
import { cardEditRoutes } from './routes/card-edits';
import { cardFacetRoutes } from './routes/card-facets';
import { cardGrantRoutes } from './routes/card-grants';
import { cardJudgingRoutes } from './routes/card-judging';
import { cardPromotionRoutes } from './routes/card-promotion';
import { cardRelationRoutes } from './routes/card-relations';
import { cardStoppingRoutes } from './routes/card-stopping';
import { cardStoryRoutes } from './routes/card-story';
import { cardRoutes } from './routes/cards';
import { competenceRoutes } from './routes/competence';
import { configFixRoutes } from './routes/config-fixes';
import { conversationRoutes } from './routes/conversations';
import { erasureProofRoutes } from './routes/erasure-proof';
import { erasureRoutes } from './routes/erasures';
import { eventRecordRoutes } from './routes/event-records';
import { eventRoutes } from './routes/events';
import { exportRoutes } from './routes/export';
import { graphRoutes } from './routes/graph';
import { healthRoutes } from './routes/health';
import { importRoutes } from './routes/import';
import { insightFollowUpRoutes } from './routes/insight-follow-up';
import { insightRoutes } from './routes/insights';
import { keyRoutes } from './routes/keys';
import { legalHoldRoutes } from './routes/legal-holds';
import { mcpRoutes } from './routes/mcp';
import { metricsRoutes } from './routes/metrics';
import { pushedMetricRoutes } from './routes/metrics-pushed';
import { modelRoutes } from './routes/models';
import { noteRoutes } from './routes/notes';
import { operationRoutes } from './routes/operations';
import { otelRoutes } from './routes/otel';
import { overviewRoutes } from './routes/overview';
import { pendingWriteRoutes } from './routes/pending-writes';
import { peopleRoutes } from './routes/people';
import { policyRoutes } from './routes/policy';
import { projectRoutes } from './routes/projects';
import { proposalRoutes } from './routes/proposals';
import { recallRoutes } from './routes/recall';
import { runControlRoutes } from './routes/run-control';
import { runRoutes } from './routes/runs';
import { sessionRoutes } from './routes/sessions';
import { skillChangeRoutes } from './routes/skill-changes';
import { skillRoutes } from './routes/skills';
import { sourceRoutes } from './routes/sources';
import { subjectRoutes } from './routes/subjects';
import { teamRoutes } from './routes/teams';
import { timelineRoutes } from './routes/timeline';
import { webhookDeliveryRoutes } from './routes/webhook-deliveries';
import { webhookRoutes } from './routes/webhooks';
import { workspaceRoutes } from './routes/workspaces';

/** Every route of the API, a file a resource; each has its rule in `roles.ts`. */
const ROUTES = [
  accessLogRoutes,
  actionRoutes,
  agentGroupRoutes,
  agentRoutes,
  auditRoutes,
  auditChainRoutes,
  cardEditRoutes,
  cardFacetRoutes,
  cardGrantRoutes,
  cardJudgingRoutes,
  cardPromotionRoutes,
  cardRelationRoutes,
  cardStoppingRoutes,
  cardRoutes,
  cardStoryRoutes,
  competenceRoutes,
  configFixRoutes,
  consoleSessionRoutes,
  conversationRoutes,
  erasureProofRoutes,
  eventRecordRoutes,
  eventRoutes,
  exportRoutes,
  graphRoutes,
  healthRoutes,
  importRoutes,
  insightRoutes,
  insightFollowUpRoutes,
  keyRoutes,
  legalHoldRoutes,
  erasureRoutes,
  mcpRoutes,
  memoryRoutes,
  metricsRoutes,
  modelRoutes,
  noteRoutes,
  operationRoutes,
  otelRoutes,
  pendingWriteRoutes,
  overviewRoutes,
  peopleRoutes,
  policyRoutes,
  projectRoutes,
  proposalRoutes,
  pushedMetricRoutes,
  recallRoutes,
  runControlRoutes,
  runRoutes,
  sessionRoutes,
  skillRoutes,
  skillChangeRoutes,
  sourceRoutes,
  streamRoutes,
  subjectRoutes,
  teamRoutes,
  timelineRoutes,
  webhookDeliveryRoutes,
  webhookRoutes,
  workspaceRoutes,
];

export function registerRoutes(app: App, deps: ApiDependencies): void {
  enforceRoles(app);
  for (const register of ROUTES) register(app, deps);
}
