import type { Page } from 'playwright-core';
import { describeConsole } from './support/console/console';
import { HOSTILE_TEXTS } from './support/console/seed/hostile';
import type { Workspace } from './support/console/workspace';
import { until } from './support/until';

jest.setTimeout(120_000);

const FEES = 'Berthing fees of the north quay are due on the first day of each month.';

async function plantQuay(workspace: Workspace): Promise<{ fees: string; tide: string }> {
  await workspace.done('PUT', '/v1/teams/quay', { name: 'Quay' });
  for (const agent of ['harbourmaster', 'pilot']) {
    await workspace.done('PUT', `/v1/agents/${agent}`, { team: 'quay' });
  }
  const scope = { type: 'agent', id: 'harbourmaster' };
  const hints = { service: 'berths', operation: 'invoice' };
  const fees = await workspace.card({ summary: FEES, kind: 'knowledge', scope, hints });
  const tide = await workspace.card({
    summary: 'The tide gate of the north quay sticks below four degrees; open it by hand.',
    kind: 'constraint',
    sign: 'failed',
    scope,
  });
  return { fees: fees.id, tide: tide.id };
}

async function fromMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
}

const dialogOf = (page: Page) => page.getByRole('dialog');

describeConsole('the cards', plantQuay, (the) => {
  const made = async (summary: string): Promise<string> => {
    const scope = { type: 'agent', id: 'harbourmaster' };
    return (await the().workspace.card({ summary, scope })).id;
  };
  const read = (id: string) => the().workspace.done('GET', `/v1/cards/${id}`);

  test('a person searches and narrows, and the address and the way back keep it', async () => {
    const visit = await the().open('/cards');
    const { page } = visit;
    const list = page.getByRole('table', { name: 'cards' });
    await page.keyboard.press('/');
    await page.keyboard.type('north quay');
    await page.waitForURL(/q=north/);
    await list.getByText('tide gate').waitFor();
    await page.getByRole('button', { name: /^knowledge \d/ }).click();
    await page.waitForURL(/kind=knowledge/);
    await list.getByText('tide gate').waitFor({ state: 'detached' });
    await list.getByText('Berthing fees').waitFor();
    await page.reload();
    await list.getByText('Berthing fees').waitFor();
    expect(await list.getByText('tide gate').count()).toBe(0);
    await page.getByRole('button', { name: 'Without Kind: knowledge' }).click();
    await list.getByText('tide gate').waitFor();
    await page.goBack();
    await page.waitForURL(/kind=knowledge/);

    await list.locator('[data-index="0"]').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/cards/${the().planted.fees}`);
    await page.getByRole('region', { name: 'What it says' }).getByText(FEES).waitFor();
    expect(visit.problems()).toEqual([]);
  });

  test('a person writes a card by hand', async () => {
    const { page } = await the().open('/cards?new=1');
    const form = dialogOf(page);
    await form.getByLabel('What is to be known').fill('The crane is inspected every second week.');
    await form.getByRole('textbox', { name: 'Topic' }).fill('crane');
    await form.getByRole('button', { name: 'Write the card' }).click();
    await page.waitForURL(/\/cards\/card_/);
    const card = await read(page.url().split('/').at(-1) ?? '');
    expect(card).toMatchObject({
      summary: 'The crane is inspected every second week.',
      topic: 'crane',
      scope: { type: 'workspace', id: the().workspace.id },
      provenance: { distilled_by: 'person' },
    });
  });

  test('a correction is shown before it is saved, and stands in the history', async () => {
    const id = await made('The ferry leaves at eight.');
    const { page } = await the().open(`/cards/${id}`);
    await page.getByRole('button', { name: 'Correct' }).click();
    await dialogOf(page).getByLabel('Summary').fill('The ferry leaves at nine.');
    await page.getByRole('button', { name: 'Look at the change' }).click();
    await dialogOf(page).locator('del', { hasText: 'eight' }).waitFor();
    await dialogOf(page).locator('ins', { hasText: 'nine' }).waitFor();
    expect((await read(id)).version).toBe(1);
    await page.getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('Corrected. The version before').waitFor();
    expect(await read(id)).toMatchObject({ summary: 'The ferry leaves at nine.', version: 2 });
    const difference = page.getByRole('region', { name: 'What differs' });
    await difference.locator('del', { hasText: /^eight$/ }).waitFor();
    await difference.locator('ins', { hasText: /^nine$/ }).waitFor();
  });

  test('a correction of what changed meanwhile keeps what somebody else wrote', async () => {
    const { workspace } = the();
    const id = await made('The lock opens at low tide.');
    const { page } = await the().open(`/cards/${id}?do=correct`);
    await dialogOf(page).getByRole('textbox', { name: 'Topic' }).fill('locks');
    await workspace.done(
      'PATCH',
      `/v1/cards/${id}`,
      { importance: 7 },
      { headers: { 'if-match': '"1"' } },
    );
    await dialogOf(page).getByRole('button', { name: 'Compare with version 2' }).click();
    await dialogOf(page).getByRole('button', { name: 'Save the correction' }).click();
    await page.getByText('Corrected. The version before').waitFor();
    expect(await read(id)).toMatchObject({ topic: 'locks', importance: 7, version: 3 });
  });

  test('a person shares a card with an agent, and takes that back', async () => {
    const { workspace } = the();
    const id = await made('The pilot boat is fuelled on Mondays.');
    const asPilot = () => workspace.call('GET', `/v1/cards/${id}`, undefined, { agent: 'pilot' });
    expect((await asPilot()).status).toBe(404);
    const { page } = await the().open(`/cards/${id}?tab=seen`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await dialogOf(page).getByLabel('Agent', { exact: false }).last().fill('pilot');
    await dialogOf(page).getByLabel('Purpose').fill('plans the fuel');
    await dialogOf(page).getByRole('button', { name: 'Share' }).click();
    await page.getByText('The card was shared with it (1)').waitFor();
    await page.getByRole('cell', { name: 'plans the fuel' }).waitFor();
    expect((await asPilot()).status).toBe(200);

    await page.getByRole('button', { name: 'Revoke the grant of pilot' }).click();
    await dialogOf(page).getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Nobody.').waitFor();
    expect((await asPilot()).status).toBe(404);
  });

  test('a person confirms, holds back and releases a card', async () => {
    const id = await made('The buoy is repainted each spring.');
    const { page } = await the().open(`/cards/${id}`);
    await page.getByRole('button', { name: 'Validate' }).click();
    await dialogOf(page).getByLabel('Reason').fill('looked at it');
    await dialogOf(page).getByRole('button', { name: 'It held' }).click();
    await page.getByText('Validated.').waitFor();
    expect((await read(id)).status).toBe('validated');

    await fromMenu(page, 'Quarantine');
    await dialogOf(page).getByRole('button', { name: 'Quarantine' }).click();
    await page.getByRole('button', { name: 'Release' }).click();
    expect((await read(id)).status).toBe('quarantined');
    await dialogOf(page).getByRole('button', { name: 'Release' }).click();
    await page.getByText('Released.').waitFor();
    expect((await read(id)).status).toBe('validated');
  });

  test('a deleted card comes back by undo, and from the list of deleted ones', async () => {
    const { workspace } = the();
    const id = await made('The net shed is locked at dusk.');
    const status = async () => (await workspace.call('GET', `/v1/cards/${id}`)).status;
    const { page } = await the().open(`/cards/${id}`);
    await fromMenu(page, 'Delete');
    await page.getByText('Deleted, for every reader.').waitFor();
    await page.getByRole('alert').getByText('Not here').waitFor();
    expect(await status()).toBe(404);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('region', { name: 'What it says' }).waitFor();
    expect(await status()).toBe(200);

    await fromMenu(page, 'Delete');
    await page.getByRole('link', { name: 'All deleted cards' }).click();
    const row = page.getByRole('row').filter({ hasText: 'net shed' });
    await row.getByRole('button', { name: 'Restore' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await status()).toBe(200);
  });

  test('a person proposes a card to a team, and is led to the proposal', async () => {
    const id = await made('The slipway is free on Thursdays.');
    const { page } = await the().open(`/cards/${id}?do=promote`);
    await dialogOf(page).getByLabel('Team').last().fill('quay');
    await dialogOf(page).getByRole('button', { name: 'Propose' }).click();
    await dialogOf(page).getByRole('link', { name: 'See it in the inbox' }).click();
    await page.waitForURL(/\/inbox\/prop_/);
    const proposal = await the().workspace.done(
      'GET',
      `/v1/proposals/${page.url().split('/').at(-1)}`,
    );
    expect(proposal).toMatchObject({ type: 'promotion', evidence: [id] });
  });

  test('a stop shows what it would take, and takes it', async () => {
    const id = await made('The depth chart of 1990 is right.');
    const { page } = await the().open(`/cards/${id}?do=stop`);
    await dialogOf(page).getByText('1 of 1 cards would go').waitFor();
    expect((await read(id)).status).toBe('active');
    await dialogOf(page).getByRole('button', { name: 'Stop 1 card' }).click();
    await until('it is stopped', async () => (await read(id)).status === 'quarantined');
  });

  test('what a recall was given can be told to have helped', async () => {
    const { workspace, planted } = the();
    const asked = { query: 'invoice the berthing fees of the north quay' };
    const recall = await workspace.done('POST', '/v1/recall', asked, { agent: 'harbourmaster' });
    expect(recall.cards.map(({ id }: { id: string }) => id)).toContain(planted.fees);
    const before = (await read(planted.fees)).use_count;
    const { page } = await the().open(`/cards/${planted.fees}?tab=readers`);
    const injections = page.getByRole('region', { name: 'Recalls that injected it' });
    await injections.getByRole('button', { name: 'It helped in this recall' }).first().click();
    await injections.getByText('Helped', { exact: true }).waitFor();
    expect((await read(planted.fees)).use_count).toBe(before + 1);
  });

  test('an auditor reads everything and is offered no change', async () => {
    const key = await the().workspace.person('auditor');
    const visit = await the().open(`/cards/${the().planted.fees}?tab=seen`, { key });
    const { page } = visit;
    await page.getByText('It is its own card (1)').waitFor();
    const actions = page.getByRole('group', { name: 'What can be done' });
    expect(await actions.getByRole('button').allInnerTexts()).toEqual(['More']);
    await actions.getByRole('button').click();
    const offered = await page.getByRole('menuitem').allInnerTexts();
    expect(offered).toEqual(['Open in the graph', 'Try in the recall lab']);
    await visit.goto('/cards');
    expect(await page.getByRole('button', { name: 'New card' }).count()).toBe(0);
    expect(visit.problems()).toEqual([]);
  });

  test.each(HOSTILE_TEXTS)('%j stays text', async (summary) => {
    const id = await made(summary);
    const { summary: kept } = await read(id);
    const visit = await the().open(`/cards/${id}`);
    const says = visit.page.getByRole('region', { name: 'What it says' });
    expect(await says.locator('.told').first().textContent()).toBe(kept);
    await visit.goto('/cards?q=hacked');
    expect(await visit.page.evaluate('window.hacked')).toBeUndefined();
    expect(await visit.page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(visit.problems()).toEqual([]);
  });
});
