import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const insightsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/insights',
  validateSearch: searchOf(
    'tab',
    'q',
    'severity',
    'status',
    'origin',
    'domain',
    'min',
    'order',
    'blocked',
    'metric',
  ),
  component: lazyRouteComponent(() => import('./insights-page'), 'InsightsPage'),
});

export const insightRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/insights/$id',
  validateSearch: searchOf('metric', 'show'),
  component: lazyRouteComponent(() => import('./insight-page'), 'InsightPage'),
});

export const insightRoutes = [insightsRoute, insightRoute] as const;
