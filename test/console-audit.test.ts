import { readFileSync } from 'node:fs';
import { describeConsole } from './support/console/console';
import { plantFleet } from './support/console/seed/samples';

jest.setTimeout(120_000);

describeConsole('the logs', plantFleet, (the) => {
  test('changes are narrowed to one card, and a row shows its fields', async () => {
    const { planted, workspace } = the();
    const path = `/v1/cards/${planted.card}`;
    const { version } = await workspace.done('GET', path);
    await workspace.done(
      'PATCH',
      path,
      { importance: 9 },
      { headers: { 'if-match': `"${version}"` } },
    );
    const visit = await the().open('/audit');
    const { page } = visit;
    await page.getByLabel('To which').fill(planted.card);
    await page.getByLabel('To which').press('Enter');
    await page.waitForURL(`**target=${planted.card}**`);
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    const told = await workspace.done('GET', `/v1/audit?target=${planted.card}`);
    await page.getByText(`${told.items.length} of ${told.total}`).waitFor();
    expect(await rows.count()).toBe(told.items.length + 1);
    const edited = rows.filter({ hasText: 'importance' });
    await edited.getByText('importance').click();
    const shown = page.getByRole('dialog');
    await shown.getByText('importance').waitFor();
    await shown.getByRole('link', { name: planted.card }).waitFor();
    expect(visit.problems()).toEqual([]);
  });

  test('the chain is sealed and verified, and a head that was never there is found out', async () => {
    const { workspace } = the();
    const { page } = await the().open('/audit/chain');
    await page.getByRole('button', { name: 'Seal now' }).click();
    await page.getByText('Sealing what is in the logs now').waitFor();
    await page.getByRole('table', { name: 'Seals' }).getByRole('row').nth(1).waitFor();
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await page.getByText('Everything stands as it was sealed').waitFor();
    const { items } = await workspace.done('GET', '/v1/audit/seals');
    await page.getByText(items[0].head).waitFor();
    await page.getByLabel('A head from before').fill('0'.repeat(64));
    await page.getByRole('button', { name: 'Verify the chain' }).click();
    await page.getByText('The logs are not as they were sealed').waitFor();
  });

  test('both logs are saved as a file that holds every row', async () => {
    const { page } = await the().open('/audit');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export both logs' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\n');
    const types = lines.map((line) => JSON.parse(line).type as string);
    expect(types[0]).toBe('manifest');
    expect(types.at(-1)).toBe('end');
    expect(types.filter((type) => type === 'audit').length).toBeGreaterThan(10);
  });

  test('reads are shown with who read what', async () => {
    const { planted, workspace } = the();
    const key = await workspace.runtime();
    await workspace.done('GET', `/v1/cards/${planted.card}`, undefined, {
      key,
      agent: 'herald-friday',
    });
    const { page } = await the().open('/audit/access?agent=herald-friday');
    const rows = page.getByRole('table', { name: 'Reads' }).getByRole('row');
    await rows.filter({ hasText: 'ancestor' }).first().waitFor();
    expect(await rows.filter({ hasText: 'herald-friday' }).count()).toBe((await rows.count()) - 1);
  });
});
