import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';
import { QUESTION } from './question';

export const recallRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/recall',
  validateSearch: searchOf(...QUESTION),
  component: lazyRouteComponent(() => import('./recall-page'), 'RecallPage'),
});

export const recallRoutes = [recallRoute] as const;
