import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';
import { VIEW } from './view-names';

export const graphRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/graph',
  validateSearch: searchOf(...VIEW),
  component: lazyRouteComponent(() => import('./graph-page'), 'GraphPage'),
});

export const graphRoutes = [graphRoute] as const;
