import { MockActivityEnvironment } from '@temporalio/testing';
import { createProposalDraftActivities } from '../src/activities/proposal-draft';
import type { FixDrafter } from '../src/models/fix-drafter';
import { CONFIG_FIX_EFFECT } from '../src/store/config-fixes-deciding';
import { holdProposal, setProposal } from '../src/store/proposal-row';
import { erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { dumped, rowsWith } from './support/others-rows';
import { rowsOf } from './support/upkeep';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
  await lane.api.call('PUT', '/v1/teams/yard', { body: { name: 'Yard' } });
  await lane.api.call('PUT', '/v1/agents/scout', { body: { team: 'yard' } });
});
afterEach(() => lane.close());

/** Failures of one step, the first two of them with a quokka; the fix that they opened. */
async function struckOut(): Promise<string> {
  for (let n = 0; n < 8; n += 1) {
    const load = n < 2 ? 'quokka' : 'iron';
    await lane.filing.file({
      ...{ event_id: `evt-${n}`, kind: 'workflow_step', outcome: 'failed', team: 'yard' },
      ...{
        workflow_step: { workflow: 'unload', step: 'lift' },
        service: 'crane',
        operation: 'lift',
      },
      ...{ input: { load }, error: `the ${load} is too heavy` },
    });
    lane.clock.advance(1_000);
  }
  const { body } = await lane.api.call('GET', '/v1/proposals');
  return body.items[0].id;
}

async function drafted(id: string, meanwhile: () => Promise<void>): Promise<boolean> {
  const drafter: FixDrafter = {
    draft: async (_step, warnings, template) => {
      const told = JSON.stringify(warnings).includes('quokka') ? 'quokka' : 'iron';
      await meanwhile();
      return { ...template, summary: `The ${told} is too heavy.`, fix: `Leave the ${told}.` };
    },
  };
  const { database, secretKey } = lane.api;
  const { draftFix } = createProposalDraftActivities({ database, drafter, secretKey });
  const input = { workspace: 'default', proposal_id: id, version: 1 };
  return ((await new MockActivityEnvironment().run(draftFix, input)) as { drafted: boolean })
    .drafted;
}

it('keeps the words of the rules where some of its failures were erased while the model was asked', async () => {
  const id = await struckOut();
  const meanwhile = async () => {
    const { status } = await erased(lane, { event_ids: ['evt-0', 'evt-1'] });
    expect(status).toBe('completed');
  };
  expect(await drafted(id, meanwhile)).toBe(false);
  const { body } = await lane.api.call('GET', `/v1/proposals/${id}`);
  expect(body).toMatchObject({ status: 'open', version: 1, drafted_by: 'fallback' });
  expect(rowsWith(await dumped((ask) => rowsOf(lane, ask)), ['quokka'])).toEqual([]);
  // Asked again it is told of those that are left.
  expect(await drafted(id, async () => undefined)).toBe(true);
  const { body: after } = await lane.api.call('GET', `/v1/proposals/${id}`);
  expect(after.summary).toBe('The iron is too heavy.');
});

it('keeps them where a warning was corrected meanwhile', async () => {
  const id = await struckOut();
  const { body } = await lane.api.call('GET', `/v1/proposals/${id}`);
  const [card] = body.evidence;
  const meanwhile = async () => {
    const { status } = await lane.api.call('PATCH', `/v1/cards/${card}`, {
      headers: { 'if-match': '"1"' },
      body: { summary: 'The load was too heavy for the crane.' },
    });
    expect(status).toBe(200);
  };
  expect(await drafted(id, meanwhile)).toBe(false);
});

describe('a fix that was decided', () => {
  const approved = async (): Promise<string> => {
    const id = await struckOut();
    await lane.api.database.inWorkspace('default', async (tx) => {
      const row = await holdProposal(tx, id);
      if (row === null) throw new Error('no proposal');
      const at = lane.clock.now();
      await CONFIG_FIX_EFFECT.approve(tx, row, { at } as never);
      await setProposal(tx, row, { status: 'approved', at });
    });
    return id;
  };
  const fixes = async () => (await lane.api.call('GET', '/v1/config-fixes')).body.items;

  it('stays approved, in words from the failures that are left', async () => {
    const id = await approved();
    await erased(lane, { event_ids: ['evt-0', 'evt-1'] });
    const { body, text } = await lane.api.call('GET', `/v1/proposals/${id}`);
    expect(body).toMatchObject({ status: 'approved', version: 1 });
    expect(body.evidence).toHaveLength(6);
    expect(body.title).toBe('lift of unload failed 6 times in team yard');
    expect(text).not.toMatch(/quokka|purged/);
    expect(await fixes()).toMatchObject([{ status: 'approved', fix: body.change.fix }]);
  });

  it('stays applied, and is watched on', async () => {
    const id = await approved();
    const [{ id: fix }] = await fixes();
    const applied = await lane.api.call('POST', `/v1/config-fixes/${fix}/applied`, { body: {} });
    expect(applied.status).toBe(200);
    await erased(lane, { event_ids: ['evt-0', 'evt-1'] });
    const { body, text } = await lane.api.call('GET', `/v1/proposals/${id}`);
    expect(body).toMatchObject({ status: 'applied' });
    expect(body.evidence).toHaveLength(6);
    expect(text).not.toMatch(/quokka|purged/);
    expect(await fixes()).toMatchObject([{ status: 'applied', fix: body.change.fix }]);
  });

  it('lapses where too few are left', async () => {
    const id = await approved();
    await erased(lane, { event_ids: [0, 1, 2, 3, 4, 5].map((n) => `evt-${n}`) });
    const { body } = await lane.api.call('GET', `/v1/proposals/${id}`);
    expect(body.status).toBe('lapsed');
    expect(await fixes()).toMatchObject([{ status: 'lapsed' }]);
  });
});
