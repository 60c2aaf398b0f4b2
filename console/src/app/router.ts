import { createRouter } from '@tanstack/react-router';
import { agentRoutes } from '../pages/agents/routes';
import { auditRoutes } from '../pages/audit/routes';
import { cardRoutes } from '../pages/cards/routes';
import { erasureRoutes } from '../pages/erasures/routes';
import { graphRoutes } from '../pages/graph/routes';
import { homeRoutes } from '../pages/home/routes';
import { inboxRoutes } from '../pages/inbox/routes';
import { insightRoutes } from '../pages/insights/routes';
import { recallRoutes } from '../pages/recall/routes';
import { runRoutes } from '../pages/runs/routes';
import { settingsRoutes } from '../pages/settings/routes';
import { skillRoutes } from '../pages/skills/routes';
import { PageFailed } from './page-failed';
import { parseSearch, stringifySearch } from './search';
import { shellRoute } from './shell-route';

const routeTree = shellRoute.addChildren([
  ...homeRoutes,
  ...cardRoutes,
  ...inboxRoutes,
  ...recallRoutes,
  ...graphRoutes,
  ...runRoutes,
  ...auditRoutes,
  ...erasureRoutes,
  ...agentRoutes,
  ...skillRoutes,
  ...insightRoutes,
  ...settingsRoutes,
]);

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  // Within the frame, so that the navigation stays.
  defaultErrorComponent: PageFailed,
  defaultPreload: 'intent',
  defaultPreloadDelay: 80,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
