import { describeConsole } from './support/console/console';
import { plantSkill } from './support/console/seed/keeping';

jest.setTimeout(120_000);

describeConsole('skills', plantSkill, (the) => {
  test('a version is compared with the one before, and rolled back to', async () => {
    const { planted, workspace } = the();
    const path = `/v1/skills/${planted.skill}`;
    const before = await workspace.done('GET', path);
    const visit = await the().open('/skills');
    const { page } = visit;
    await page.getByRole('link', { name: planted.skill }).click();
    await page.getByText('Book the earliest with room.').waitFor();
    await page.getByRole('tab', { name: 'Differences' }).click();
    await page.getByText('Leave out sailings with hazardous freight.').waitFor();
    await page.getByRole('combobox', { name: 'Version', exact: true }).click();
    await page.getByRole('option', { name: '1 · retired' }).click();
    await page.waitForURL('**version=1**');
    await page.getByRole('button', { name: 'Roll back to this' }).click();
    await page.getByRole('button', { name: 'Roll back', exact: true }).click();
    await page.getByText('Version 1 is in use').waitFor();
    const after = await workspace.done('GET', path);
    expect([before.version, after.version]).toEqual([2, 1]);
    expect(visit.problems()).toEqual([]);
  });

  test('tests say why they passed or did not', async () => {
    const { planted } = the();
    const { page } = await the().open(`/skills/${planted.skill}?version=3&tab=tests`);
    await page.getByText('a step of what worked is missing').waitFor();
    await page.getByText('failed', { exact: true }).first().waitFor();
  });

  test('a skill is written down, tested, and then in use', async () => {
    const { workspace } = the();
    const { page } = await the().open('/skills');
    await page.getByRole('button', { name: 'Write a skill' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('moor-at-night');
    await dialog.getByLabel('What it is for').fill('Moors a ferry after dark.');
    const body = '## Steps\n1. Ask for the harbour lights.\n2. Moor at the lit berth.';
    await dialog.getByLabel('How it is done').fill(body);
    await dialog.getByLabel(/^A test/).fill('lights');
    await dialog.getByRole('button', { name: 'Write it down' }).click();
    await page.waitForURL('**/skills/moor-at-night**');
    await page.getByText('Written, and in use: its tests pass').waitFor();
    await page.getByRole('button', { name: 'Test again' }).click();
    await page.getByText('1 passed, 0 failed').first().waitFor();
    expect((await workspace.done('GET', '/v1/skills/moor-at-night')).status).toBe('current');
  });
});
