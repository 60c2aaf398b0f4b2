import type { ApiDependencies, App } from './app';
import { enforceRoles } from './roles';
import { accessLogRoutes } from './routes/access-log';
import { agentGroupRoutes } from './routes/agent-groups';
import { agentRoutes } from './routes/agents';
import { auditRoutes } from './routes/audit';
import { cardEditRoutes } from './routes/card-edits';
import { cardGrantRoutes } from './routes/card-grants';
import { cardJudgingRoutes } from './routes/card-judging';
import { cardRelationRoutes } from './routes/card-relations';
import { cardRoutes } from './routes/cards';
import { competenceRoutes } from './routes/competence';
import { eventRecordRoutes } from './routes/event-records';
import { eventRoutes } from './routes/events';
import { graphRoutes } from './routes/graph';
import { healthRoutes } from './routes/health';
import { keyRoutes } from './routes/keys';
import { mcpRoutes } from './routes/mcp';
import { metricsRoutes } from './routes/metrics';
import { noteRoutes } from './routes/notes';
import { operationRoutes } from './routes/operations';
import { peopleRoutes } from './routes/people';
import { policyRoutes } from './routes/policy';
import { projectRoutes } from './routes/projects';
import { recallRoutes } from './routes/recall';
import { runRoutes } from './routes/runs';
import { subjectRoutes } from './routes/subjects';
import { teamRoutes } from './routes/teams';
import { workspaceRoutes } from './routes/workspaces';

/** Every route of the API, a file a resource; each has its rule in `roles.ts`. */
const ROUTES = [
  accessLogRoutes,
  agentGroupRoutes,
  agentRoutes,
  auditRoutes,
  cardEditRoutes,
  cardGrantRoutes,
  cardJudgingRoutes,
  cardRelationRoutes,
  cardRoutes,
  competenceRoutes,
  eventRecordRoutes,
  eventRoutes,
  graphRoutes,
  healthRoutes,
  keyRoutes,
  mcpRoutes,
  metricsRoutes,
  noteRoutes,
  operationRoutes,
  peopleRoutes,
  policyRoutes,
  projectRoutes,
  recallRoutes,
  runRoutes,
  subjectRoutes,
  teamRoutes,
  workspaceRoutes,
];

export function registerRoutes(app: App, deps: ApiDependencies): void {
  enforceRoles(app);
  for (const register of ROUTES) register(app, deps);
}
