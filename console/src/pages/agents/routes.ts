import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents',
  validateSearch: searchOf('tab', 'team', 'parent', 'kind', 'stopped', 'task_type'),
  component: lazyRouteComponent(() => import('./agents-page'), 'AgentsPage'),
});

export const agentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('./agent-page'), 'AgentPage'),
});

export const agentRoutes = [agentsRoute, agentRoute] as const;
