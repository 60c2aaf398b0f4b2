import { describeConsole } from './support/console/console';
import { plantFleet } from './support/console/seed/samples';

jest.setTimeout(120_000);

const QUERY = 'send the newsletter to all readers';

describeConsole('the recall lab', plantFleet, (the) => {
  test('a person asks as an agent and reads why each card came back', async () => {
    const { workspace } = the();
    const { page } = await the().open('/recall');
    await page.getByLabel('What is about to be done, or asked').fill(QUERY);
    await page.getByRole('combobox', { name: 'As' }).fill('herald-friday');
    await page.getByRole('combobox', { name: 'As' }).press('Escape');
    await page.getByLabel('What is about to be done, or asked').press('Control+Enter');
    const answer = page.getByRole('region', { name: 'As herald-friday' });
    await answer.getByRole('heading', { name: 'Things to avoid' }).waitFor();

    // The same cards in the same order as the API gives that agent.
    const asked = { query: QUERY, explain: true };
    const told = await workspace.done('POST', '/v1/recall', asked, { agent: 'herald-friday' });
    const shown = await answer
      .locator('[data-card]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-card')));
    const sections = told.sections as { cards: string[] }[];
    expect(shown).toEqual(sections.flatMap(({ cards }) => cards));

    const first = answer.locator('[data-card]').first();
    await first.getByRole('button', { name: 'Why this card' }).click();
    const terms = first.getByRole('table', { name: 'Terms of the score' });
    const [card] = told.cards.filter(({ id }: { id: string }) => id === shown[0]);
    expect(await terms.getByRole('row').count()).toBe(Object.keys(card.terms).length);
    await expect(terms.getByRole('row', { name: /^× trust/ }).textContent()).resolves.toContain(
      String(card.terms.trust),
    );

    await answer.getByRole('button', { name: 'What goes into the prompt' }).click();
    const prompt = answer.locator('pre').filter({ hasText: '# Memory' });
    expect((await prompt.textContent())?.trim()).toContain('## Things to avoid');
    const search = new URLSearchParams({
      q: QUERY,
      agent: 'herald-friday',
      limit: '1',
      asked: '1',
    });
    await page.goto(`/recall?${search}`);
    await answer.getByRole('button', { name: /^Found and left out \([1-9]/ }).click();
    await answer.getByText('Left out: more cards than were asked for').first().waitFor();
  });

  test('two profiles stand beside each other, and the address brings both back', async () => {
    const search = new URLSearchParams({ q: QUERY, agent: 'herald-friday', asked: '1' });
    const visit = await the().open(`/recall?${search}&compare=profile`);
    const { page } = visit;
    const left = page.getByRole('region', { name: 'As herald-friday · fleet' });
    const right = page.getByRole('region', { name: 'As herald-friday · profile episodic' });
    await left.locator('[data-card]').first().waitFor();
    await right.locator('[data-card]').first().waitFor();
    await page.reload();
    await right.locator('[data-card]').first().waitFor();
    expect(await left.getByText(/there$|^same place$|^only here$/).count()).toBeGreaterThan(0);
    expect(visit.problems()).toEqual([]);
  });

  test('what a person says of a card is kept with the recall', async () => {
    const { workspace } = the();
    const search = new URLSearchParams({ q: QUERY, agent: 'herald-friday', asked: '1' });
    const { page } = await the().open(`/recall?${search}`);
    const card = page.locator('[data-card]').first();
    const id = await card.getAttribute('data-card');
    const before = await workspace.done('GET', `/v1/cards/${id}`);
    await card.getByRole('button', { name: 'Useful', exact: true }).click();
    await page.getByText('Noted as useful').waitFor();
    const after = await workspace.done('GET', `/v1/cards/${id}`);
    expect(after.use_count).toBe(before.use_count + 1);
  });
});
