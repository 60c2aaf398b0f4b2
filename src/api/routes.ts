import type { ApiDependencies, App } from './app';
import { memoryRoutes } from './memories/plugin';
import { enforceRoles } from './roles';
import { accessLogRoutes } from './routes/access-log';
import { agentGroupRoutes } from './routes/agent-groups';
import { agentRoutes } from './routes/agents';
import { auditRoutes } from './routes/audit';
import { auditChainRoutes } from './routes/audit-chain';
import { cardEditRoutes } from './routes/card-edits';
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
import { eventRecordRoutes } from './routes/event-records';
import { eventRoutes } from './routes/events';
import { graphRoutes } from './routes/graph';
import { healthRoutes } from './routes/health';
import { keyRoutes } from './routes/keys';
import { mcpRoutes } from './routes/mcp';
import { metricsRoutes } from './routes/metrics';
import { noteRoutes } from './routes/notes';
import { operationRoutes } from './routes/operations';
import { otelRoutes } from './routes/otel';
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
import { webhookDeliveryRoutes } from './routes/webhook-deliveries';
import { webhookRoutes } from './routes/webhooks';
import { workspaceRoutes } from './routes/workspaces';

/** Every route of the API, a file a resource; each has its rule in `roles.ts`. */
const ROUTES = [
  accessLogRoutes,
  agentGroupRoutes,
  agentRoutes,
  auditRoutes,
  auditChainRoutes,
  cardEditRoutes,
  cardGrantRoutes,
  cardJudgingRoutes,
  cardPromotionRoutes,
  cardRelationRoutes,
  cardStoppingRoutes,
  cardRoutes,
  cardStoryRoutes,
  competenceRoutes,
  configFixRoutes,
  conversationRoutes,
  eventRecordRoutes,
  eventRoutes,
  graphRoutes,
  healthRoutes,
  keyRoutes,
  mcpRoutes,
  memoryRoutes,
  metricsRoutes,
  noteRoutes,
  operationRoutes,
  otelRoutes,
  pendingWriteRoutes,
  peopleRoutes,
  policyRoutes,
  projectRoutes,
  proposalRoutes,
  recallRoutes,
  runControlRoutes,
  runRoutes,
  sessionRoutes,
  skillRoutes,
  skillChangeRoutes,
  sourceRoutes,
  subjectRoutes,
  teamRoutes,
  webhookDeliveryRoutes,
  webhookRoutes,
  workspaceRoutes,
];

export function registerRoutes(app: App, deps: ApiDependencies): void {
  enforceRoles(app);
  for (const register of ROUTES) register(app, deps);
}
