import { describeConsole, nothing } from './support/console/console';
import {
  plantConfigFix,
  plantContradiction,
  plantPendingWrite,
  plantPromotion,
} from './support/console/seed/deciding';

jest.setTimeout(180_000);

describeConsole('the inbox', nothing, (the) => {
  const read = (path: string) => the().workspace.done('GET', path);

  test('a config fix is approved by two keys, and marked as applied', async () => {
    const { fix } = await plantConfigFix(the().workspace);
    const visit = await the().open('/inbox?type=config_fix');
    const { page } = visit;
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.getByText('The failures behind it').waitFor();
    expect(page.url()).toContain(`/inbox/${fix}`);
    await visit.loaded();
    expect(await visit.axe()).toEqual([]);

    await page.keyboard.press('a');
    await page.getByText('The fix goes to its runtime').waitFor();
    expect((await read(`/v1/proposals/${fix}`)).status).toBe('open');
    await page.keyboard.press('Enter');
    await page.getByLabel('Version of the configuration').fill('month-end-7');
    await page.getByRole('button', { name: 'Mark applied' }).click();
    await page.getByText('0 of 3 successes, 0 failed since.').waitFor();

    expect(await read(`/v1/config-fixes/${fix}`)).toMatchObject({
      status: 'applied',
      config_version: 'month-end-7',
    });
    expect((await read(`/v1/proposals/${fix}`)).decisions).toMatchObject([
      { by: 'owner', decision: 'approve', channel: 'api' },
    ]);
    expect(visit.problems()).toEqual([]);
  });

  test('a contradiction is resolved for the side that was not suggested, and the next one opens', async () => {
    const { workspace } = the();
    const next = await plantContradiction(workspace, 'south-quay');
    const { contradiction } = await plantContradiction(workspace, 'east-quay');
    const { change } = await read(`/v1/proposals/${contradiction}`);
    const visit = await the().open(`/inbox/${contradiction}?type=contradiction`);
    const { page } = visit;
    await page.getByRole('radio', { name: /^Keep the second/ }).waitFor();
    expect(await visit.axe()).toEqual([]);
    await page.keyboard.press('2');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Keep the second' }).click();

    await page.waitForURL(`**/inbox/${next.contradiction}*`);
    expect((await read(`/v1/cards/${change.loser}`)).status).toBe('validated');
    expect((await read(`/v1/cards/${change.winner}`)).status).toBe('rejected');
    await page.goBack();
    await page.getByText('approved version 1').waitFor();
    expect(visit.problems()).toEqual([]);
  });

  test('a promotion is rejected with a reason, which stands with the decision', async () => {
    const { promotion, promoted } = await plantPromotion(the().workspace);
    const visit = await the().open(`/inbox/${promotion}`);
    const { page } = visit;
    await page.getByText('Who would newly see it').waitFor();
    await page.getByText('Everybody who books from pier seven').waitFor();
    await page.keyboard.press('x');
    // Keys of the console are letters where one writes.
    await page.keyboard.type('jaxk: this pier is the pilot’s alone');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Rejected', { exact: true }).first().waitFor();

    await visit.goto(`/inbox/${promotion}`);
    await page.getByText('jaxk: this pier is the pilot’s alone').waitFor();
    expect((await read(`/v1/cards/${promoted}`)).scope).toMatchObject({ type: 'agent' });
    expect(visit.problems()).toEqual([]);
  });

  test('whoever comes too late is told, and shown who decided', async () => {
    const { contradiction } = await plantContradiction(the().workspace, 'west-quay');
    const reviewer = await the().workspace.person('reviewer', 'rita');
    const visit = await the().visit();
    const { page } = visit;
    // Without it the page would know of the decision before its reader does.
    await page.route('**/v1/stream', (route) => route.abort());
    visit.allow(/\/v1\/stream/, /decision 409$/);
    await visit.goto(`/inbox/${contradiction}`);
    await page.getByRole('button', { name: 'Keep the first' }).waitFor();
    await page.keyboard.press('a');
    const path = `/v1/proposals/${contradiction}/decision`;
    const decision = { decision: 'reject', version: 1, reason: 'Both are so.' };
    await the().workspace.done('POST', path, decision, { key: reviewer });
    await page.getByRole('button', { name: 'Keep the first' }).click();

    await page.getByRole('alert').getByText('Decided meanwhile').waitFor();
    await page.getByText('Both are so.').waitFor();
    expect(await page.getByText('rita rejected version 1').count()).toBe(1);
    expect(visit.problems()).toEqual([]);
  });

  test('a pending write becomes a card once it is accepted', async () => {
    const { pending } = await plantPendingWrite(the().workspace);
    const visit = await the().open('/inbox?view=writes');
    const { page } = visit;
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(`**/inbox/${pending}*`);
    await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByText('It becomes a card of foreman').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('What became of it').waitFor();
    const { status, card_id } = await read(`/v1/pending-writes/${pending}`);
    expect(status).toBe('accepted');
    await page.getByRole('link', { name: /^Crates of pier seven/ }).click();
    await page.waitForURL(`**/cards/${card_id}`);
    expect(visit.problems()).toEqual([]);
  });

  test('an auditor reads, and is offered no decision', async () => {
    const { contradiction } = await plantContradiction(the().workspace, 'mid-quay');
    const key = await the().workspace.person('auditor');
    const visit = await the().open(`/inbox/${contradiction}`, { key, width: 360, height: 740 });
    await visit.page.getByText('An owner or a reviewer decides this.').waitFor();
    await visit.page.keyboard.press('a');
    expect(await visit.page.getByLabel('Reason').count()).toBe(0);
    expect(await visit.overflow()).toBe(0);
    expect(await visit.axe()).toEqual([]);
    expect(visit.problems()).toEqual([]);
  });
});
