import { POLICY_DEFAULTS } from '../src/contracts/policy-defaults';
import { describeConsole, nothing } from './support/console/console';
import type { Visit } from './support/console/visit';
import { until } from './support/until';
import { answers, bodyOf, expectSigned, startWebhookReceiver } from './support/webhook-receiver';

jest.setTimeout(120_000);

const TABS = [
  'workspace',
  'policy',
  'keys',
  'people',
  'teams',
  'subjects',
  'projects',
  'webhooks',
  'models',
];

/** Reads what is shown this once, and says that it is kept. */
async function keptSecret({ page }: Visit): Promise<string> {
  const dialog = page.getByRole('dialog').filter({ hasText: 'Shown this once' });
  const secret = ((await dialog.locator('[data-secret]').textContent()) ?? '').trim();
  const done = dialog.getByRole('button', { name: 'Done' });
  expect(await done.isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: 'I have put it where it is safe' }).check();
  await done.click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

describeConsole('the settings', nothing, (the) => {
  test('a field of the policy is found, changed, looked at, saved', async () => {
    const { workspace } = the();
    const before = await workspace.done('GET', '/v1/policy');
    const visit = await the().open('/settings?tab=policy');
    const { page } = visit;
    await page.getByLabel('Find a field').fill('failures open');
    const field = page.locator('[data-path="strikes.count"]');
    await field.getByText(`Default: ${POLICY_DEFAULTS.strikes.count} failures`).waitFor();
    await field.getByRole('textbox', { name: 'Failures' }).fill('5');
    await field.getByText('changed, not saved').waitFor();
    await page.getByLabel('Find a field').fill('');
    await page.getByRole('link', { name: 'Retention' }).click();
    await page.getByRole('button', { name: 'Add a rule to Forget by rule' }).click();
    await page.getByRole('textbox', { name: 'Topic' }).fill('weather*');
    await page.getByRole('textbox', { name: 'Forgotten after' }).fill('7');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByText('topic weather* → forgotten after 7 days').waitFor();
    await page.getByText('2 fields changed, not saved').waitFor();

    await page.getByRole('button', { name: 'See what would change' }).click();
    const dialog = page.getByRole('dialog', { name: 'What would change' });
    await dialog.getByRole('row', { name: /^Strikes: Failures.*3 failures.*5 failures/ }).waitFor();
    await dialog.getByText('New: topic weather* → forgotten after 7 days').waitFor();
    await dialog.getByText('Cards that the next retention forgets by rule: 0, as now.').waitFor();
    // So far nothing holds.
    expect(await workspace.done('GET', '/v1/policy')).toEqual(before);
    expect(await visit.axe()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByText(/^Saved as version/).waitFor();

    const after = await workspace.done('GET', '/v1/policy');
    expect(after.version).toBe(before.version + 1);
    expect(after.strikes.count).toBe(5);
    expect(after.retention.forget).toEqual([{ match: { topic: 'weather*' }, after: 'P7D' }]);
    await page.goto('/settings?tab=policy&part=strikes');
    await field.getByText('set here').waitFor();
    expect(visit.problems()).toEqual([]);
  });

  test('what somebody else changed meanwhile is not overwritten', async () => {
    const { workspace } = the();
    const visit = await the().open('/settings?tab=policy&part=learning');
    const { page } = visit;
    await page.getByRole('textbox', { name: 'Novelty' }).fill('8');
    await page.getByRole('button', { name: 'See what would change' }).click();
    const save = page.getByRole('button', { name: 'Save the change' });
    await save.waitFor();
    const { version } = await workspace.done('GET', '/v1/policy');
    const headers = { 'if-match': `"${version}"` };
    await workspace.done('PUT', '/v1/policy', { learning: { novelty: 9 } }, { headers });
    visit.allow(/PUT \/v1\/policy 412/);
    await save.click();
    await page.getByText('It changed meanwhile').waitFor();
    expect((await workspace.done('GET', '/v1/policy')).learning.novelty).toBe(9);
    // The change is still there, over what holds now.
    await page.getByText('holds now: 9').waitFor();
    expect(visit.problems()).toEqual([]);
  });

  test('as JSON, the policy says all that is wrong with it, and is not saved', async () => {
    const visit = await the().open('/settings?tab=policy&view=json');
    const { page } = visit;
    const text = page.getByRole('textbox', { name: 'The policy as JSON' });
    expect(JSON.parse(await text.inputValue()).gate).toEqual(POLICY_DEFAULTS.gate);
    await text.fill('{"strikes": {"count": 0}, "recall": {"limits": 3}}');
    await page.getByRole('button', { name: 'See what would change' }).click();
    const dialog = page.getByRole('dialog', { name: 'What would change' });
    await dialog.getByText('It cannot be saved like this').waitFor();
    await expect(dialog.getByRole('listitem').count()).resolves.toBe(2);
    await dialog.getByText('Strikes: Failures').waitFor();
    await expect(dialog.getByRole('button', { name: /^Save/ }).count()).resolves.toBe(0);
    expect(visit.problems()).toEqual([]);
  });

  test('a key is made, shown once, rotated and revoked', async () => {
    const { workspace } = the();
    const visit = await the().open('/settings?tab=keys');
    const { page } = visit;
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByText('runtime', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Runtime' }).fill('night-shift');
    await page.getByRole('textbox', { name: 'What for' }).fill('staging');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const first = await keptSecret(visit);
    const asks = async (key: string) =>
      (await workspace.call('GET', '/v1/agents', undefined, { key })).status;
    expect(await asks(first)).toBe(200);

    await page.getByRole('button', { name: 'Rotate the key of night-shift' }).click();
    await page.getByRole('combobox', { name: 'The old key ends' }).click();
    await page.getByRole('option', { name: 'at once' }).click();
    await page.getByRole('button', { name: 'Rotate it' }).click();
    const second = await keptSecret(visit);
    expect(second).not.toBe(first);
    expect([await asks(first), await asks(second)]).toEqual([401, 200]);

    const row = page.getByRole('row', { name: /night-shift.*good/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText('Revoked: it opens nothing any more').waitFor();
    expect(await asks(second)).toBe(401);
    await expect(page.getByText(first).count()).resolves.toBe(0);
    expect(visit.problems()).toEqual([]);
  });

  test('a person is made, let in by a key, and sees what their role may', async () => {
    const visit = await the().open('/settings?tab=people');
    const { page } = visit;
    await page.getByRole('button', { name: 'New person' }).click();
    await page.getByRole('textbox', { name: 'Id' }).fill('avery');
    await page.getByRole('textbox', { name: 'Name' }).fill('Avery');
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'auditor' }).click();
    await page.getByRole('button', { name: 'Make the person' }).click();
    await page.getByRole('button', { name: 'New key for avery' }).click();
    await page.getByRole('button', { name: 'Make the key' }).click();
    const key = await keptSecret(visit);
    expect(visit.problems()).toEqual([]);

    const theirs = await the().open('/settings?tab=policy', { key });
    const tabs = theirs.page.getByRole('tab');
    await expect(tabs.allInnerTexts()).resolves.not.toContain('Keys');
    await theirs.page.getByText('Owners and operators change the policy.').waitFor();
    expect(
      await theirs.page.getByRole('switch', { name: 'Agents register themselves' }).isDisabled(),
    ).toBe(true);
    expect(theirs.problems()).toEqual([]);
  });

  test('the memory of the workspace is switched off only after one was asked', async () => {
    const { workspace } = the();
    const { page } = await the().open('/settings');
    await page.getByRole('radio', { name: 'Off' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await workspace.done('GET', '/v1/workspace')).memory_mode).toBe('automatic');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Switch it off' }).click();
    await page.getByText('memory off').waitFor();
    expect((await workspace.done('GET', '/v1/workspace')).memory_mode).toBe('off');
    await workspace.done('PUT', '/v1/workspace', { memory_mode: 'automatic' });
  });

  test('the owner of the installation makes a workspace, whose key opens it', async () => {
    const { workspace } = the();
    const id = `${workspace.id}-b`;
    const visit = await the().open('/settings', { key: workspace.stack.ownerKey });
    const { page } = visit;
    await page.getByRole('button', { name: 'New workspace' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Id' }).fill(id);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Second quay');
    await dialog.getByRole('button', { name: 'Make it' }).click();
    const key = await keptSecret(visit);
    const opened = await workspace.done('GET', '/v1/workspace', undefined, { key });
    expect(opened).toMatchObject({ id, name: 'Second quay' });
    // Nobody else is shown the others.
    const own = await the().open('/settings');
    await expect(own.page.getByText('Workspaces of this installation').count()).resolves.toBe(0);
  });

  test('a webhook is made, tried, and what failed is sent once more', async () => {
    const { workspace } = the();
    const { version } = await workspace.done('GET', '/v1/policy');
    const headers = { 'if-match': `"${version}"` };
    await workspace.done('PUT', '/v1/policy', { webhooks: { allow_private: true } }, { headers });
    const receiver = await startWebhookReceiver();
    try {
      receiver.script(answers(500), answers(204));
      const visit = await the().open('/settings?tab=webhooks');
      const { page } = visit;
      await page.getByRole('button', { name: 'New webhook' }).click();
      await page.getByRole('textbox', { name: 'Its name' }).fill('desk');
      await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
      await page.getByRole('checkbox', { name: 'insight.urgent' }).check();
      await page.getByRole('button', { name: 'Make the webhook' }).click();
      const secret = await keptSecret(visit);
      await page.getByRole('button', { name: 'Ping' }).click();
      const told = page.getByRole('table', { name: 'Deliveries of desk' });
      await told.getByText('It refused (1 try, answered 500)').waitFor();
      await told.getByRole('button', { name: 'Retry' }).click();
      await told.getByText('Taken after 2 tries, answered 204').waitFor();
      const [first, second] = await receiver.arrived(2);
      if (first === undefined || second === undefined) throw new Error('it was told once');
      expectSigned(first, secret);
      expectSigned(second, secret);
      expect(bodyOf(second)).toEqual(bodyOf(first));
      // The address alone brings the deliveries back.
      await page.reload();
      await told.getByText('delivered', { exact: true }).waitFor();
      expect(await visit.axe()).toEqual([]);
      expect(visit.problems()).toEqual([]);
    } finally {
      await receiver.close();
    }
  });

  test('a project is made and closed', async () => {
    const { workspace } = the();
    const { page } = await the().open('/settings?tab=projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await page.getByRole('textbox', { name: 'Id' }).fill('autumn-menu');
    await page.getByRole('button', { name: 'Make the project' }).click();
    const row = page.getByRole('row', { name: /autumn-menu/ });
    await row.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close it' }).click();
    await row.getByText('closed', { exact: true }).waitFor();
    expect((await workspace.done('GET', '/v1/projects/autumn-menu')).status).toBe('closed');
  });

  test.each(TABS)('%s is readable on a telephone and in the dark', async (tab) => {
    const visit = await the().open(`/settings?tab=${tab}`, {
      width: 360,
      height: 740,
      scheme: 'dark',
    });
    await until('its tab is chosen', async () => {
      const chosen = visit.page.getByRole('tab', { selected: true });
      return (await chosen.textContent())?.toLowerCase() === tab;
    });
    expect(await visit.overflow()).toBe(0);
    expect(await visit.axe()).toEqual([]);
    expect(visit.problems()).toEqual([]);
  });
});
