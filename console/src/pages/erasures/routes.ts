import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const erasuresRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/erasures',
  validateSearch: searchOf(
    'tab',
    'subject',
    'person',
    'agent',
    'source',
    'project',
    'event_ids',
    'card_ids',
  ),
  component: lazyRouteComponent(() => import('./erasures-page'), 'ErasuresPage'),
});

export const erasureRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/erasures/$id',
  component: lazyRouteComponent(() => import('./erasure-page'), 'ErasurePage'),
});

export const erasureRoutes = [erasuresRoute, erasureRoute] as const;
