import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const cardsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cards',
  validateSearch: searchOf(
    'q',
    'kind',
    'sign',
    'status',
    'scope',
    'agent',
    'team',
    'service',
    'operation',
    'subject',
    'since',
    'until',
    'deleted',
    'new',
  ),
  component: lazyRouteComponent(() => import('./cards-page'), 'CardsPage'),
});

export const cardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/cards/$id',
  validateSearch: searchOf('tab', 'from', 'to', 'do'),
  component: lazyRouteComponent(() => import('./card-page'), 'CardPage'),
});

export const cardRoutes = [cardsRoute, cardRoute] as const;
