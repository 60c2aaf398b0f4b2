import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeConsole } from './support/console/console';
import { PAGES } from './support/console/pages';
import { plantShowcase } from './support/console/seed/showcase';

jest.setTimeout(180_000);

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
      await visit.goto(address(planted, workspace));
      const problems: unknown[] = [...visit.problems(), ...(await visit.axe())];
      if ((await visit.overflow()) > 0) problems.push('it is wider than the window');
      if ((await visit.heading()) === '') problems.push('its heading is empty');
      if (problems.length > 0) complaints[name] = problems;
    }
    expect(complaints).toEqual({});
  });

  test.each(['member', 'auditor'] as const)('%s: says what the key does not show', async (role) => {
    const { workspace, planted } = the();
    const key = await workspace.person(role, `a-${role}`);
    const { allowed } = await workspace.done('GET', '/v1/session', undefined, { key });
    const visit = await the().visit({ key });
    const complaints: Record<string, unknown> = {};
    for (const { name, needs, address } of PAGES) {
      // What this key may not see is refused or not there, and nothing else goes wrong.
      visit.allow(/^answer: GET .* (403|404)$/);
      await visit.goto(address(planted, workspace));
      const problems: unknown[] = [...visit.problems(), ...(await visit.axe())];
      const alert = visit.page.getByRole('alert');
      if (!allowed.includes(needs) && !(await alert.first().isVisible())) {
        problems.push('it does not say that it is not shown');
      }
      await visit.heading();
      if (problems.length > 0) complaints[name] = problems;
    }
    expect(complaints).toEqual({});
  });
});
