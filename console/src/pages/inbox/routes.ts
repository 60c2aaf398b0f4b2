import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

/** Both panes; the list stays as it is while one matter after the other is opened beside it. */
export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: searchOf('status', 'type', 'view'),
  component: lazyRouteComponent(() => import('./inbox-page'), 'InboxPage'),
});

/** A proposal, a pending write or a fix: the id says which. */
export const proposalRoute = createRoute({
  getParentRoute: () => inboxRoute,
  path: '$id',
});

export const inboxRoutes = [inboxRoute.addChildren([proposalRoute])] as const;
