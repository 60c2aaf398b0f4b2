import { describeConsole } from './support/console/console';
import { plantRuns } from './support/console/seed/keeping';
import { plantFleet } from './support/console/seed/samples';
import type { Workspace } from './support/console/workspace';

jest.setTimeout(180_000);

async function plantWork(workspace: Workspace): Promise<{ capture: string; run: string }> {
  const { capture } = await plantFleet(workspace);
  return { capture, ...(await plantRuns(workspace)) };
}

describeConsole('runs and captures', plantWork, (the) => {
  test('a capture is followed to its history in Temporal', async () => {
    const { planted, workspace } = the();
    const visit = await the().open('/captures?agent=herald');
    const { page } = visit;
    await page.getByRole('table', { name: 'Captures' }).getByText(planted.capture).click();
    await page.waitForURL(`**/captures/${planted.capture}`);
    await page.getByText('became a card').waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('An event is to become a card').waitFor();
    await timeline.getByText('Done').waitFor();
    const history = await timeline
      .getByRole('link', { name: /History in Temporal/ })
      .getAttribute('href');
    const id = encodeURIComponent(`capture/${workspace.id}/${planted.capture}`);
    expect(history).toContain(`/workflows/${id}/`);
    // It is Temporal's own page that answers there.
    expect((await fetch(history ?? '')).status).toBe(200);
    expect(visit.problems()).toEqual([]);
  });

  test('a pass is tried, looked at, made and taken back', async () => {
    const { workspace } = the();
    const { page } = await the().open('/runs');
    await page.getByRole('button', { name: 'Start a pass' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Start the dry run' }).click();
    await page.waitForURL('**/runs/op_*');
    await page.getByText('Nothing was changed').waitFor();
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByText(/began .* ago|began a few seconds/).waitFor();

    const { run } = the().planted;
    await page.goto(`/runs/${run}`);
    const { total } = await workspace.done('GET', `/v1/runs/${run}/changes`);
    await page.getByText(new RegExp(`of ${total} lines`)).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Take it back' }).click();
    await page.getByText(/changes taken back/).waitFor();
    const after = await workspace.done('GET', `/v1/runs/${run}`);
    expect(after.undone_at).not.toBeNull();
    await page.getByText(/^Taken back/).waitFor();
    // What is over is offered no more.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('filters stand in the address, and the way back keeps them', async () => {
    const { page } = await the().open('/runs?type=consolidation');
    const rows = page.getByRole('table', { name: 'Runs' }).getByRole('row');
    await rows.nth(1).waitFor();
    const words = await rows.allInnerTexts();
    expect(words.slice(1).every((text) => text.startsWith('consolidation'))).toBe(true);
    await page.getByRole('tab', { name: 'Captures' }).click();
    await page.waitForURL('**/captures');
    await page.goBack();
    await page.waitForURL('**/runs?type=consolidation');
  });
});
