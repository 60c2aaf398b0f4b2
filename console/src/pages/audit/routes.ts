import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: searchOf('actor', 'action', 'target', 'since', 'until', 'channel'),
  component: lazyRouteComponent(() => import('./audit-page'), 'AuditPage'),
});

export const accessLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit/access',
  validateSearch: searchOf('agent', 'person', 'card', 'surface', 'since', 'until'),
  component: lazyRouteComponent(() => import('./access-page'), 'AccessPage'),
});

export const auditRoutes = [auditRoute, accessLogRoute] as const;
