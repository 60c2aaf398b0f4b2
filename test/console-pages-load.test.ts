import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConsole } from './support/console/console';
import { PAGES } from './support/console/pages';
import { plantShowcase } from './support/console/seed/showcase';
import type { Visit } from './support/console/visit';

// Each test visits every page, and a small machine takes seconds for one.
jest.setTimeout(420_000);

const CONSOLE = join(__dirname, '..', 'console', 'src');

/** Where a page's route is declared, its own part of the address at least. */
function declaredRoutes(): string[] {
  const pages = join(CONSOLE, 'pages');
  return readdirSync(pages).flatMap((folder) => {
    const text = readFileSync(join(pages, folder, 'routes.ts'), 'utf8');
    return [...text.matchAll(/\bpath: '([^']+)'/g)].map((found) => found[1] ?? '');
  });
}

function placesOfNavigation(): string[] {
  const text = readFileSync(join(CONSOLE, 'app', 'navigation.ts'), 'utf8');
  return [...text.matchAll(/\bto: '([^']+)', label/g)].map((found) => found[1] ?? '');
}

test('every page that the console has is visited here', () => {
  const routes = PAGES.map(({ route }) => route);
  const unvisited = declaredRoutes().filter(
    (path) => !routes.some((route) => route.endsWith(path)),
  );
  expect(unvisited).toEqual([]);
  expect(placesOfNavigation().filter((to) => !routes.includes(to))).toEqual([]);
  expect(placesOfNavigation().length).toBeGreaterThan(3);
});

/** All that is wrong with a page, in words and as axe tells it; empty where nothing is. */
async function complaintsOf(visit: Visit, address: string): Promise<unknown[]> {
  try {
    await visit.goto(address);
    const heading = await visit.heading();
    const more = heading === '' ? ['its heading is empty'] : [];
    return [...visit.problems(), ...(await visit.axe()), ...more];
  } catch (error) {
    return [...visit.problems(), error instanceof Error ? error.message : String(error)];
  }
}

describeConsole('each page of the console', plantShowcase, (the) => {
  const looks = [
    { width: 1280, height: 800, scheme: 'light' },
    { width: 1280, height: 800, scheme: 'dark' },
    { width: 360, height: 740, scheme: 'light' },
    { width: 360, height: 740, scheme: 'dark' },
  ] as const;

  test.each(looks)('loads without a complaint: $width wide, $scheme', async (look) => {
    const { workspace, planted } = the();
    const visit = await the().visit(look);
    const complaints: Record<string, unknown> = {};
    for (const { name, address } of PAGES) {
      const found = await complaintsOf(visit, address(planted, workspace));
      if ((await visit.overflow()) > 0) found.push('it is wider than the window');
      if (found.length > 0) complaints[name] = found;
    }
    expect(complaints).toEqual({});
  });

  test.each(['member', 'auditor'] as const)('%s: says what the key does not show', async (role) => {
    const { workspace, planted } = the();
    const key = await workspace.person(role, `a-${role}`);
    const { allowed } = await workspace.done('GET', '/v1/session', undefined, { key });
    const visit = await the().visit({ key });
    // What this key may not see is refused or not there, and nothing else goes wrong.
    visit.allow(/^answer: (GET|POST) .* (403|404)$/);
    const complaints: Record<string, unknown> = {};
    for (const { name, needs, address } of PAGES) {
      const found = await complaintsOf(visit, address(planted, workspace));
      const alert = visit.page.getByRole('alert').first();
      if (!allowed.includes(needs) && !(await alert.isVisible())) {
        found.push('it does not say that it is not shown');
      }
      if (found.length > 0) complaints[name] = found;
    }
    expect(complaints).toEqual({});
  });
});
