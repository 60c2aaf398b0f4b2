import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const skillsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/skills',
  validateSearch: searchOf('query', 'status'),
  component: lazyRouteComponent(() => import('./skills-page'), 'SkillsPage'),
});

export const skillRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/skills/$name',
  validateSearch: searchOf('version', 'from', 'tab', 'scope'),
  component: lazyRouteComponent(() => import('./skill-page'), 'SkillPage'),
});

export const skillRoutes = [skillsRoute, skillRoute] as const;
