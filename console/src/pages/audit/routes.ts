import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: searchOf('actor', 'action', 'target_type', 'target', 'since', 'until', 'row'),
  component: lazyRouteComponent(() => import('./audit-page'), 'AuditPage'),
});

export const accessLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit/access',
  validateSearch: searchOf('agent', 'person', 'card', 'via', 'since', 'until'),
  component: lazyRouteComponent(() => import('./access-page'), 'AccessPage'),
});

export const chainRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit/chain',
  validateSearch: searchOf('anchor'),
  component: lazyRouteComponent(() => import('./chain-page'), 'ChainPage'),
});

export const auditRoutes = [auditRoute, accessLogRoute, chainRoute] as const;
