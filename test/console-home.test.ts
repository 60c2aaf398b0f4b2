import { describeConsole, nothing } from './support/console/console';
import { plantConfigFix, plantContradiction } from './support/console/seed/deciding';
import type { Workspace } from './support/console/workspace';

jest.setTimeout(120_000);

describeConsole('the home page of a workspace that was told nothing', nothing, (the) => {
  test('says how to begin, and shows what comes without being asked', async () => {
    const { workspace } = the();
    const visit = await the().open('/');
    const { page } = visit;
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('npm run sample').waitFor();
    await expect(steps.getByText(/^curl /).textContent()).resolves.toContain('/v1/events');
    await page.getByText('Live', { exact: true }).waitFor();

    await workspace.events([
      {
        event_id: 'home-first',
        kind: 'service_call',
        agent: 'newsletter-writer',
        service: 'mailer',
        operation: 'send_batch',
        outcome: 'failed',
        occurred_at: new Date().toISOString(),
        input: { recipients: 250 },
        error: '429: daily limit of 100 recipients exceeded',
      },
    ]);
    await page.getByRole('region', { name: 'Waits for a person' }).waitFor();
    expect(await steps.count()).toBe(0);
    const captures = page.getByRole('region', { name: 'Captures' });
    await captures.getByText('1 reported in 7 days').waitFor();
    expect(visit.problems()).toEqual([]);
  });
});

async function plant(workspace: Workspace) {
  await plantConfigFix(workspace);
  const { id } = await workspace.card({ summary: 'The north gate opens by itself.' });
  await workspace.done('POST', `/v1/cards/${id}/quarantine`, {});
  return await plantContradiction(workspace);
}

describeConsole('the home page', plant, (the) => {
  test('a person sees what waits and goes to where it is decided', async () => {
    const { workspace, planted } = the();
    const overview = await workspace.done('GET', '/v1/overview?days=7');
    expect(overview.contradictions.open).toBe(1);
    const visit = await the().open('/');
    const { page } = visit;
    const waits = page.getByRole('region', { name: 'Waits for a person' });
    const lines = await waits.getByRole('listitem').allInnerTexts();
    expect(lines[0]).toMatch(/^1 open contradiction\b/);
    expect(lines[1]).toMatch(new RegExp(`^${overview.proposals.open - 1} open proposal`));
    expect(lines.some((line) => line.startsWith('1 card held back'))).toBe(true);

    await waits.getByRole('link', { name: 'Choose a side' }).click();
    await page.waitForURL(/\/inbox.*type=contradiction/);
    const { title } = await workspace.done('GET', `/v1/proposals/${planted.contradiction}`);
    await page.getByText(title).first().waitFor();
    await page.goBack();
    await waits.waitFor();
    expect(visit.problems()).toEqual([]);
  });

  test('the days and the table are in the address, and the numbers are those of the API', async () => {
    const { workspace } = the();
    const visit = await the().open('/');
    const { page } = visit;
    await page.getByText('30 days', { exact: true }).click();
    const captures = page.getByRole('region', { name: 'Captures' });
    await captures.getByRole('img', { name: /^Captures over time/ }).waitFor();
    await captures.getByText('Table', { exact: true }).click();
    expect(new URL(page.url()).search).toBe('?days=30&show=table');
    await page.reload();
    await visit.loaded();

    const { captures: told, bucket } = await workspace.done('GET', '/v1/overview?days=30');
    expect(bucket).toBe('P1D');
    const rows = captures.getByRole('row');
    expect(await rows.count()).toBe(1 + told.series.length);
    const carded = told.totals.carded;
    expect(carded).toBeGreaterThan(0);
    await captures.getByRole('link', { name: 'carded' }).click();
    await page.waitForURL(/\/captures\?disposition=carded/);
    await page.getByText(`${carded} of ${carded}`).waitFor();
    expect(visit.problems()).toEqual([]);
  });

  test('quality is told with what it means', async () => {
    const { workspace } = the();
    const { page } = await the().open('/?days=1');
    const { quality } = await workspace.done('GET', '/v1/overview?days=1');
    const panel = page.getByRole('region', { name: 'Quality' });
    await panel.getByText(`Of ${quality.cards} cards`).waitFor();
    await panel.getByRole('button', { name: /^Never recalled: / }).focus();
    await page.getByRole('tooltip', { name: /in the answer of no recall yet/ }).waitFor();
    await panel.getByRole('link', { name: 'See those held back' }).click();
    await page.waitForURL(/\/cards\?status=rejected/);
  });

  test('a member is told why there are no numbers, and where to go instead', async () => {
    const key = await the().workspace.person('member', 'mara');
    const visit = await the().visit({ key });
    visit.allow(/^answer: GET \/v1\/overview\S* 403$/);
    await visit.goto('/');
    await visit.page.getByRole('alert').waitFor();
    await visit.page.getByRole('link', { name: 'Look through the cards' }).click();
    await visit.page.waitForURL(/\/cards/);
    expect(visit.problems()).toEqual([]);
  });
});
