import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const graphRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/graph',
  validateSearch: searchOf('center', 'depth', 'kinds', 'edges', 'agent', 'since', 'until', 'limit'),
  component: lazyRouteComponent(() => import('./graph-page'), 'GraphPage'),
});

export const graphRoutes = [graphRoute] as const;
