import { createRootRoute } from '@tanstack/react-router';
import { NoSuchPage } from './no-such-page';
import { PageFailed } from './page-failed';
import { Shell } from './shell';

/** The frame around every page: pages' own routes hang below it. */
export const shellRoute = createRootRoute({
  component: Shell,
  notFoundComponent: NoSuchPage,
  errorComponent: PageFailed,
});
