import { describeConsole } from './support/console/console';
import { plantFleet } from './support/console/seed/samples';

jest.setTimeout(120_000);

describeConsole('the fleet', plantFleet, (the) => {
  test('an agent is stopped and let go on, and the API holds to it', async () => {
    const { workspace } = the();
    const visit = await the().open('/agents');
    const { page } = visit;
    const list = page.getByRole('table', { name: 'Agents' });
    await list
      .getByRole('row')
      .filter({ hasText: 'newsletter' })
      .getByRole('link', { name: 'herald', exact: true })
      .first()
      .click();
    await page.waitForURL('**/agents/herald');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByRole('button', { name: 'Let it go on' }).waitFor();
    expect((await workspace.done('GET', '/v1/agents/herald')).writes_stopped).toBe(true);
    const key = await workspace.runtime();
    const event = {
      event_id: 'while-stopped',
      kind: 'service_call',
      agent: 'herald',
      outcome: 'worked',
      occurred_at: '2026-06-01T09:00:00Z',
    };
    const refused = await workspace.call('POST', '/v1/events', event, { key });
    expect([refused.status, refused.body.code]).toEqual([403, 'stopped']);
    await page.getByRole('button', { name: 'Let it go on' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    expect((await workspace.done('GET', '/v1/agents/herald')).writes_stopped).toBe(false);
    expect(visit.problems()).toEqual([]);
  });

  test('its memory is put to manual, and it is registered under a parent', async () => {
    const { workspace } = the();
    const { page } = await the().open('/agents');
    await page.getByRole('button', { name: 'Register an agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Id').fill('herald-sunday');
    await dialog.getByLabel('Spawned by').fill('herald');
    await dialog.getByRole('combobox', { name: 'Memory' }).click();
    await page.getByRole('option', { name: 'manual' }).click();
    await dialog.getByRole('button', { name: 'Register' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await workspace.done('GET', '/v1/agents/herald-sunday')).toMatchObject({
      parent_agent: 'herald',
      memory_mode: 'manual',
    });
    await page.getByRole('tab', { name: 'Who spawned whom' }).click();
    await page.getByRole('button', { name: 'Open all' }).click();
    await page.getByRole('link', { name: 'herald-sunday' }).waitFor();
  });

  test('competence, groups and sources are there, and a group is changed', async () => {
    const { workspace } = the();
    const visit = await the().open('/agents?tab=competence');
    const { page } = visit;
    await page.getByRole('table', { name: 'Competence' }).getByRole('row').nth(1).waitFor();
    await page.getByRole('tab', { name: 'Groups' }).click();
    await page.getByRole('button', { name: 'New group' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Its name').fill('on-call');
    await dialog.getByRole('combobox', { name: 'Members' }).fill('herald');
    await dialog.getByRole('combobox', { name: 'Members' }).press('Enter');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: 'on-call' }).getByText('herald').waitFor();
    expect((await workspace.done('GET', '/v1/agent-groups/on-call')).members).toEqual(['herald']);
    await page.getByRole('tab', { name: 'Sources' }).click();
    await page.getByRole('button', { name: 'Stop a source' }).click();
    await dialog.getByLabel('Its name').fill('mailer');
    await dialog.getByRole('button', { name: 'Stop it' }).click();
    const row = page
      .getByRole('table', { name: 'Sources' })
      .getByRole('row')
      .filter({ hasText: 'mailer' });
    await row.getByText('stopped').waitFor();
    expect((await workspace.done('GET', '/v1/sources/service:mailer')).stopped).toBe(true);
    await row.getByRole('button', { name: 'Lift' }).click();
    await row.getByText('heard').waitFor();
    expect(visit.problems()).toEqual([]);
  });
});
