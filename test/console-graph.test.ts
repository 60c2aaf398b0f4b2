import type { CardGraph } from '../src/contracts/graph';
import { describeConsole } from './support/console/console';
import { GRAPH_CARDS, plantedCard, plantGraph } from './support/console/seed/graph';
import type { Visit } from './support/console/visit';
import { until } from './support/until';

jest.setTimeout(240_000);

const MAP = '[role=application]';

/** What the page says that it shows. */
async function counted({ page }: Visit): Promise<[cards: number, edges: number]> {
  const text = await page.getByText(/^[\d,]+ cards? and [\d,]+ edges?/).textContent();
  const [, cards = '', edges = ''] = /^([\d,]+) cards? and ([\d,]+) edges?/.exec(text ?? '') ?? [];
  return [cards, edges].map((number) => Number(number.replaceAll(',', ''))) as [number, number];
}

/** The same by the table: what its two lists hold. */
async function listed({ page }: Visit): Promise<[cards: number, edges: number]> {
  const [cards, edges] = await Promise.all(
    ['Cards', 'Edges'].map((name) =>
      page.getByText(new RegExp(`^${name} \\([\\d,]+\\)$`)).textContent(),
    ),
  );
  return [cards, edges].map((text) => Number((text ?? '').replace(/\D/g, ''))) as [number, number];
}

function tiesAmong({ nodes, edges }: CardGraph, shows: (node: CardGraph['nodes'][0]) => boolean) {
  const ids = new Set(nodes.filter(shows).map(({ id }) => id));
  return [ids.size, edges.filter(({ from, to }) => ids.has(from) && ids.has(to)).length];
}

describeConsole('the graph', plantGraph, (the) => {
  const told = (query: string): Promise<CardGraph> =>
    the().workspace.done('GET', `/v1/graph?${query}`);
  const standing = async (path: string): Promise<Visit> => {
    const visit = await the().open(path);
    await visit.page.locator(`${MAP}[data-state=still]`).waitFor({ timeout: 120_000 });
    return visit;
  };

  test('two thousand cards are drawn, and each legend entry turns its kind or type off', async () => {
    const graph = await told('limit=2000');
    expect(graph.nodes).toHaveLength(GRAPH_CARDS);
    const visit = await standing('/graph');
    expect(await counted(visit)).toEqual([graph.nodes.length, graph.edges.length]);

    const legend = visit.page.getByRole('group', { name: 'Cards' });
    await legend.getByRole('button', { name: /^delegation/ }).click();
    const left = tiesAmong(graph, ({ kind }) => kind !== 'delegation');
    await until('the kind is gone', async () => (await counted(visit))[0] === left[0]);
    expect(await counted(visit)).toEqual(left);
    expect(visit.page.url()).toContain('kinds=experience%2Cconstraint%2Cknowledge');

    const types = visit.page.getByRole('group', { name: 'Edges' });
    await types.getByRole('button', { name: /^supersedes/ }).click();
    await until('the type is gone', async () => (await counted(visit))[1] < (left[1] ?? 0));
    await visit.page.goBack();
    await until('back brings it back', async () => (await counted(visit))[1] === left[1]);
    expect(visit.problems()).toEqual([]);
    expect(await visit.axe()).toEqual([]);
  });

  test('the slider hides what was recorded later, and the table says the same', async () => {
    const visit = await standing('/graph');
    const { page } = visit;
    const slider = page.getByRole('slider', { name: 'Recorded until' });
    await slider.focus();
    await slider.press('Home');
    for (let n = 0; n < 20; n += 1) await slider.press('ArrowRight');
    await until('the address says until when', () => page.url().includes('until='));
    const moment = new URL(page.url()).searchParams.get('until') ?? '';
    const graph = await told('limit=2000');
    const early = graph.nodes.filter(({ recorded_at: at }) => Date.parse(at) <= Date.parse(moment));
    expect(early.length).toBeGreaterThan(100);
    expect(early.length).toBeLessThan(300);
    await until('later ones are gone', async () => (await counted(visit))[0] === early.length);
    const shown = await counted(visit);

    await page.getByText('Table', { exact: true }).click();
    const table = page.getByRole('table', { name: 'Cards of the graph' });
    await table.waitFor();
    expect(await listed(visit)).toEqual(shown);
    await page.getByLabel('Light up').fill('crane');
    const lit = early.filter(({ summary }) => summary.startsWith('Crane')).length;
    await until('only those lit up are listed', async () => (await listed(visit))[0] === lit);
    await table.getByRole('row').nth(1).click();
    await page
      .getByRole('region', { name: 'Card', exact: true })
      .getByText(/^Crane note/)
      .waitFor();
    expect(visit.problems()).toEqual([]);
    expect(await visit.axe()).toEqual([]);
  });

  test('by keys one walks to a neighbour, loads what is around it and opens it', async () => {
    const center = plantedCard(30);
    const visit = await standing(`/graph?center=${center}`);
    const { page } = visit;
    const around = await told(`center=${center}`);
    expect(await counted(visit)).toEqual([around.nodes.length, around.edges.length]);

    await page.locator(MAP).focus();
    const near = new Set(around.nodes.map(({ id }) => id).filter((id) => id !== center));
    const selected = () => new URL(page.url()).searchParams.get('card') ?? '';
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) {
      if (!near.has(selected())) await page.keyboard.press(key);
      await visit.loaded();
    }
    expect(near).toContain(selected());

    const from = selected();
    await page.keyboard.press('e');
    const beyond = await told(`center=${from}`);
    const all = new Set([...around.nodes, ...beyond.nodes].map(({ id }) => id));
    await until('its neighbours are there', async () => (await counted(visit))[0] === all.size);
    expect(new URL(page.url()).searchParams.get('open')).toBe(from);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cards/${from}`);
    await visit.loaded();
    expect(visit.problems()).toEqual([]);
  });

  test('an open contradiction stands beside the graph and leads to its decision', async () => {
    const { contradiction } = the().planted;
    const visit = await the().open('/graph?view=table&limit=500');
    const { page } = visit;
    const open = page.getByRole('region', { name: 'Open contradictions (1)' });
    await open.getByRole('button', { name: /closed for dredging/ }).click();
    const card = page.getByRole('region', { name: 'Card', exact: true });
    await card.getByText('Open contradiction').waitFor();
    await open.getByRole('link', { name: 'Decide' }).click();
    await page.waitForURL(`**/inbox/${contradiction}`);
    await visit.loaded();
    expect(visit.problems()).toEqual([]);
  });

  test('whoever may quarantine does so beside the graph; an auditor is not offered it', async () => {
    const { workspace } = the();
    const id = plantedCard(77);
    const auditor = await workspace.person('auditor');
    const watching = await the().open(`/graph?view=table&center=${id}`, { key: auditor });
    const theirs = watching.page.getByRole('region', { name: 'Card', exact: true });
    await theirs.getByRole('link', { name: 'Open the card' }).waitFor();
    expect(await theirs.getByRole('button', { name: 'Quarantine' }).count()).toBe(0);

    const { page } = await the().open(`/graph?view=table&center=${id}`);
    const card = page.getByRole('region', { name: 'Card', exact: true });
    await card.getByRole('button', { name: 'Quarantine' }).click();
    const asked = page.getByRole('dialog', { name: 'Quarantine this card?' });
    await asked.getByRole('button', { name: 'Quarantine' }).click();
    await page.getByText('Quarantined, until somebody releases it.').waitFor();
    expect((await workspace.done('GET', `/v1/cards/${id}`)).status).toBe('quarantined');
  });
});
