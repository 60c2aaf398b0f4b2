import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../app/search';
import { shellRoute } from '../../app/shell-route';

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  validateSearch: searchOf('tab', 'part', 'view', 'q', 'webhook', 'state', 'status'),
  component: lazyRouteComponent(() => import('./settings-page'), 'SettingsPage'),
});

export const settingsRoutes = [settingsRoute] as const;
