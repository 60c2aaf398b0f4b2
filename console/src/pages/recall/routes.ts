import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const recallRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recall',
  validateSearch: searchOf(
    'agent',
    'q',
    'intent',
    'profile',
    'as_of',
    'known_at',
    'compare',
    'service',
    'operation',
    'limit',
    'budget',
  ),
  component: lazyRouteComponent(() => import('./recall-page'), 'RecallPage'),
});

export const recallRoutes = [recallRoute] as const;
