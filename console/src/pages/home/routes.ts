import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: searchOf('days', 'show'),
  component: lazyRouteComponent(() => import('./home-page'), 'HomePage'),
});

export const homeRoutes = [homeRoute] as const;
