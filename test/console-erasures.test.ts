import { readFileSync } from 'node:fs';
import { describeConsole } from './support/console/console';
import type { Workspace } from './support/console/workspace';

jest.setTimeout(240_000);

const WORDS = 'Asked for a room to the yard';

async function plantGuest(workspace: Workspace): Promise<{ subject: string }> {
  const event = {
    kind: 'observation',
    agent: 'concierge',
    outcome: 'neutral',
    occurred_at: '2026-06-01T09:00:00Z',
  };
  await workspace.events([
    { ...event, event_id: 'stay-1', subject: 'guest-204', text: `${WORDS}, and a late breakfast.` },
    { ...event, event_id: 'stay-2', subject: 'guest-205', text: 'Asked for a room to the street.' },
  ]);
  return { subject: 'guest-204' };
}

describeConsole('erasures', plantGuest, (the) => {
  test('a subject is erased, and the receipt is downloaded and holds', async () => {
    const { planted, workspace } = the();
    const visit = await the().open('/erasures?tab=ask');
    const { page } = visit;
    await page.getByLabel('Subject').fill(planted.subject);
    await page.getByLabel('Legal basis').fill('GDPR Art. 17(1)(b)');
    await page.getByRole('button', { name: /^Dry run/ }).click();
    await page.getByText('dry run done').waitFor({ timeout: 60_000 });
    await page
      .getByText(/\d+ would go/)
      .first()
      .waitFor();
    // Nothing has gone by that.
    const before = await workspace.done('GET', `/v1/cards?subject=${planted.subject}`);
    expect(before.total).toBe(1);

    const erase = page.getByRole('button', { name: 'Erase', exact: true });
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel(/^Type “erase”/).fill('erase');
    await erase.click();
    await page.waitForURL('**/erasures/ers_*');
    await page.getByRole('heading', { name: 'Receipt' }).waitFor({ timeout: 120_000 });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the receipt' }).click();
    const file = await (await saved).path();
    const receipt = JSON.parse(readFileSync(file, 'utf8'));
    expect(receipt.status).toBe('completed');
    expect(await workspace.done('GET', `/v1/cards?subject=${planted.subject}`)).toMatchObject({
      total: 0,
    });
    expect((await workspace.done('GET', '/v1/cards?subject=guest-205')).total).toBe(1);

    await page.goto('/erasures?tab=proof');
    await page.locator('input[type=file]').first().setInputFiles(file);
    await page.getByLabel('Texts that are to be nowhere').fill(WORDS);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('It holds').waitFor({ timeout: 60_000 });
    expect(visit.problems()).toEqual([]);
  });

  test('a hold is set, wins, and is lifted', async () => {
    const { workspace } = the();
    const { page } = await the().open('/erasures?tab=holds');
    await page.getByRole('button', { name: 'Set a hold' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Its name').fill('case-7');
    await dialog.getByLabel('Subject').fill('guest-205');
    await dialog.getByLabel('Because').fill('Claim of the insurer');
    await dialog.getByRole('button', { name: 'Set the hold' }).click();
    const row = page.getByRole('row').filter({ hasText: 'case-7' });
    await row.getByText('subject guest-205').waitFor();
    const { items } = await workspace.done('GET', '/v1/cards?subject=guest-205');
    expect((await workspace.call('DELETE', `/v1/cards/${items[0].id}`)).status).toBe(409);
    await row.getByRole('button', { name: 'Lift' }).click();
    await page.getByRole('button', { name: 'Lift it' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await workspace.done('GET', '/v1/legal-holds')).total).toBe(0);
  });

  test('what leaves as a file comes in again as known', async () => {
    const { page } = await the().open('/erasures?tab=transfer');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const file = await (await saved).path();
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '{}').type).toBe('signature');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('link', { name: 'What becomes of them' }).click();
    await page.waitForURL('**/runs/op_*');
    await page.getByText('known', { exact: true }).waitFor({ timeout: 60_000 });
  });

  test('a member sees and erases what is about themselves alone', async () => {
    const { workspace } = the();
    await workspace.done('PUT', '/v1/people/gia', {
      name: 'Gia',
      role: 'member',
      subject: 'guest-205',
    });
    const visit = await the().open('/erasures', { key: await workspace.keyOf('person', 'gia') });
    const { page } = visit;
    await page.getByRole('tab', { name: 'Erase' }).click();
    await page.getByText('All that is about you').waitFor();
    expect(await page.getByLabel('Subject').count()).toBe(0);
    expect(await page.getByRole('tab').allInnerTexts()).toEqual([
      'Erasures',
      'Erase',
      'Export and import',
    ]);
    await page.getByRole('button', { name: /^Dry run/ }).click();
    await page.getByText('dry run done').waitFor({ timeout: 60_000 });
    expect(visit.problems()).toEqual([]);
  });
});
