import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: searchOf('status', 'type', 'view'),
  component: lazyRouteComponent(() => import('./inbox-page'), 'InboxPage'),
});

export const proposalRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox/$id',
  validateSearch: searchOf('status', 'type', 'view'),
  component: lazyRouteComponent(() => import('./inbox-page'), 'InboxPage'),
});

export const inboxRoutes = [inboxRoute, proposalRoute] as const;
