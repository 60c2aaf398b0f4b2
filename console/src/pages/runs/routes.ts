import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const runsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/runs',
  validateSearch: searchOf('type', 'status', 'scope', 'parent'),
  component: lazyRouteComponent(() => import('./runs-page'), 'RunsPage'),
});

export const runRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/runs/$id',
  validateSearch: searchOf('tab'),
  component: lazyRouteComponent(() => import('./run-page'), 'RunPage'),
});

export const capturesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/captures',
  validateSearch: searchOf('disposition', 'agent', 'since'),
  component: lazyRouteComponent(() => import('./captures-page'), 'CapturesPage'),
});

export const captureRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/captures/$id',
  component: lazyRouteComponent(() => import('./capture-page'), 'CapturePage'),
});

export const timelineRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/timeline',
  validateSearch: searchOf('workflow_id', 'run_id'),
  component: lazyRouteComponent(() => import('./timeline-page'), 'TimelinePage'),
});

export const runRoutes = [runsRoute, runRoute, capturesRoute, captureRoute, timelineRoute] as const;
