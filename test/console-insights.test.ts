import { describeConsole } from './support/console/console';
import type { Workspace } from './support/console/workspace';

jest.setTimeout(120_000);

const DAY_MS = 24 * 60 * 60_000;
const METRIC = 'harbor.labor_percent';

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

interface Planted {
  insight: string;
  source: string;
}

/** Two numbers, three findings; the gravest one has a source and four actions. */
async function plant(workspace: Workspace): Promise<Planted> {
  const number = (value: number, days: number) => ({
    ...{ name: METRIC, value, unit: '%', goal: 'down' },
    at: ago(days).toISOString(),
  });
  const latest = number(40, 10);
  await workspace.done('POST', '/v1/metrics', { metrics: [number(38, 20), latest] });
  const { id: source } = await workspace.card({ summary: 'The lunch cooks at Harbor come at 10.' });
  const scope = { type: 'workspace', id: workspace.id };
  const { id: insight } = await workspace.done('POST', '/v1/insights', {
    origin: 'user_explore',
    title: 'Labor runs over at Harbor',
    finding: 'Overtime on weekday lunches costs $1,800 a week.',
    domain: 'labor',
    severity: 'high',
    metrics: [latest],
    actions: ['Start at 11:30', 'Close on Mondays', 'Share a cook', 'Hire a manager'].map(
      (text) => ({ text }),
    ),
    sources: [source],
    scope,
  });
  for (const [severity, title] of [
    ['low', 'Menus are worn'],
    ['medium', 'Guests wait at the door'],
  ]) {
    await workspace.done('POST', '/v1/insights', {
      ...{ origin: 'chat_pin', title, severity, scope },
      ...{ finding: 'Somebody said so.', domain: 'other' },
    });
  }
  return { insight, source };
}

describeConsole('the insights', plant, (the) => {
  const told = () => the().workspace.done('GET', `/v1/insights/${the().planted.insight}`);
  const open = async () => {
    const visit = await the().open(`/insights/${the().planted.insight}`);
    const action = (text: string) => visit.page.getByRole('region', { name: text, exact: true });
    return { visit, page: visit.page, action };
  };
  const actionTold = async (text: string) =>
    (await told()).actions.find((one: { text: string }) => one.text === text);

  test('are listed by urgency, and filtered in the address', async () => {
    const { workspace } = the();
    const visit = await the().open('/insights');
    const { page } = visit;
    const table = page.getByRole('table', { name: 'Insights' });
    const { items } = await workspace.done('GET', '/v1/insights?order=score');
    expect(await table.getByRole('link').allInnerTexts()).toEqual(
      items.map(({ title }: { title: string }) => title),
    );
    await page.getByRole('combobox', { name: 'Severity' }).click();
    await page.getByRole('option', { name: 'medium' }).click();
    await page.waitForURL(/severity=medium/);
    await page.getByText('1 of 1').waitFor();
    await page.reload();
    await visit.loaded();
    expect(await table.getByRole('link').allInnerTexts()).toEqual(['Guests wait at the door']);
    expect(visit.problems()).toEqual([]);
  });

  test('say why they are urgent: each term, its formula and what it rests on', async () => {
    const { page } = await open();
    const { urgency } = await told();
    const terms = {
      Severity: urgency.severity,
      Dollars: urgency.dollars,
      Velocity: urgency.velocity,
      'Time sensitivity': urgency.time_sensitivity,
    };
    for (const [name, points] of Object.entries(terms)) {
      const text = await page.locator(`[data-term="${name}"]`).textContent();
      expect(text).toContain(points.toFixed(1));
    }
    const score = page.getByRole('region', { name: 'Financial urgency score' });
    await score.getByLabel(`urgency ${urgency.score} of 100`).waitFor();
    await score.getByText(/“\$1,800”/).waitFor();
    await score.getByText(/log₁₀/).waitFor();
    const evidence = page.getByRole('region', { name: 'Evidence' });
    const link = evidence.getByRole('link', { name: 'The lunch cooks at Harbor come at 10.' });
    expect(await link.getAttribute('href')).toBe(`/cards/${the().planted.source}`);
    await page.getByRole('img', { name: /harbor\.labor_percent.*baseline 40 %/ }).waitFor();
  });

  test('a person takes an action, has it measured later and then now, and sees what came of it', async () => {
    const { visit, page, action } = await open();
    const start = action('Start at 11:30');
    await start.getByRole('button', { name: 'It was taken' }).click();
    await page.getByLabel('When').fill(ago(5).toISOString().slice(0, 16));
    await page.getByRole('button', { name: 'Watch what comes of it' }).click();
    await start.getByText('taken, waits to be measured').waitFor();
    const { measure_at: before } = await actionTold('Start at 11:30');

    await start.getByRole('button', { name: 'Measure later' }).click();
    await page.getByLabel('Measure at').fill(ago(-60).toISOString().slice(0, 16));
    await page.getByRole('button', { name: 'Measure then' }).click();
    await page.getByText('It is measured later').waitFor();
    const { measure_at: after } = await actionTold('Start at 11:30');
    expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));

    await page.getByRole('button', { name: 'Push a number' }).click();
    await page.getByRole('textbox', { name: 'Number' }).fill('30');
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByText('Kept', { exact: true }).waitFor();

    await start.getByRole('button', { name: 'Measure now' }).click();
    await start.getByText('taken and measured').waitFor();
    await start.getByText(/40 % → 30 %, 25\.0 % less/).waitFor();
    expect((await actionTold('Start at 11:30')).outcome).toMatchObject({
      ...{ result: 'improved', size: -0.25, channel: 'measured' },
    });
    await start.getByRole('link', { name: 'The card that tells it' }).waitFor();
    expect(visit.problems()).toEqual([]);
    expect(await visit.axe()).toEqual([]);
  });

  test('a person tells an outcome that no number tells', async () => {
    const { page, action } = await open();
    const close = action('Close on Mondays');
    await close.getByRole('button', { name: 'Tell the outcome' }).click();
    await page.getByRole('radio', { name: 'made it worse' }).check();
    await page.getByLabel('Note').fill('Guests went elsewhere.');
    await page.getByRole('button', { name: 'Keep the outcome' }).click();
    await close.getByText('made it worse', { exact: true }).waitFor();
    const { outcome } = await actionTold('Close on Mondays');
    expect(outcome).toMatchObject({ result: 'worse', channel: 'reported' });
  });

  test('an action that is not to be measured has no outcome', async () => {
    const { page, action } = await open();
    const share = action('Share a cook');
    await share.getByRole('button', { name: 'It was taken' }).click();
    await page.getByRole('button', { name: 'Watch what comes of it' }).click();
    await share.getByRole('button', { name: 'Do not measure' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('The season ends.');
    await page.getByRole('dialog').getByRole('button', { name: 'Do not measure it' }).click();
    await share.getByText('Somebody cancelled measuring it.').waitFor();
    expect(await actionTold('Share a cook')).toMatchObject({ status: 'cancelled', outcome: null });
  });

  test('a blocked action is recommended by nobody until it is let again', async () => {
    const { visit, page, action } = await open();
    const hire = action('Hire a manager');
    await hire.getByRole('button', { name: 'Block everywhere' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('No money for it.');
    await page.getByRole('dialog').getByRole('button', { name: 'Block it' }).click();
    await hire.waitFor({ state: 'detached' });
    expect(await actionTold('Hire a manager')).toBeUndefined();

    await page.getByRole('link', { name: 'See what is blocked' }).click();
    await page.getByText(/No money for it\./).waitFor();
    await page.getByRole('button', { name: 'Unblock: Hire a manager' }).click();
    await page.getByText('Nothing is blocked').waitFor();
    expect(await actionTold('Hire a manager')).toMatchObject({ status: 'recommended' });
    expect(visit.problems()).toEqual([]);
  });

  test('whoever may not act is offered nothing to do', async () => {
    const key = await the().workspace.person('auditor', 'ada');
    const visit = await the().open(`/insights/${the().planted.insight}`, { key });
    await visit.page.getByRole('region', { name: 'Actions' }).waitFor();
    const doing = /It was taken|Measure now|Tell the outcome|Block|Push a number/;
    expect(await visit.page.getByRole('button', { name: doing }).count()).toBe(0);
    expect(visit.problems()).toEqual([]);
  });
});
