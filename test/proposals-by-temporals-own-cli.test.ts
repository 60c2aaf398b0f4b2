import { locateTemporalCli } from '../src/embedded/fetch';
import { fetchOptions } from './support/programs';
import { ProposalLane, until, type Waiting } from './support/proposal-lane';
import { temporalWorkflow } from './support/temporals-cli';

jest.setTimeout(120_000);

/** What an operator has who has nothing of Cairn: Temporal's own program, and the namespace. */
let lane: ProposalLane;
let cli: string;
beforeAll(async () => {
  [lane, cli] = await Promise.all([
    ProposalLane.start('dev'),
    locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI)),
  ]);
});
afterAll(() => lane?.stop());

const workflow = (...words: string[]) =>
  temporalWorkflow({ cli, address: lane.env.address }, words);

const idOf = (waiting: Waiting) => ['--workflow-id', waiting.handle.workflowId];
const input = (fields: object) => ['--input', JSON.stringify(fields)];
const APPROVE = { decision: 'approve', by: 'reviewer', version: 1 };

/** As a script would: what it prints for `--output json`. */
async function json<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await workflow(...words, '--output', 'json');
  if (code !== 0) throw new Error(err);
  return JSON.parse(out) as T;
}

async function listed(query: string): Promise<string[]> {
  const found = await json<{ execution: { workflowId: string } }[]>('list', '--query', query);
  return found.map(({ execution }) => execution.workflowId).sort();
}

test('an update approves, and answers', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  await lane.working(async () => {
    await lane.begun(waiting);
    const words = (fields: object) => [
      'update',
      'execute',
      '--name',
      'decide',
      ...idOf(waiting),
      ...input(fields),
    ];
    const update = (fields: object) => workflow(...words(fields));
    const stale = await update({ ...APPROVE, version: 3 });
    expect([stale.code, stale.err]).toEqual([1, expect.stringContaining('stale_version')]);
    const nobody = await update({ ...APPROVE, by: 'member' });
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('not_allowed')]);
    const answer = await json<{ result: unknown }>(...words(APPROVE));
    expect(answer.result).toEqual({ status: 'applied', version: 1 });
    expect(await waiting.handle.result()).toMatchObject({ channel: 'temporal' });
  });
  expect(await lane.scope(waiting.workspace, waiting.cards[0] ?? '')).toEqual({
    scope: 'team/support',
    version: 2,
  });
  expect((await lane.decisions(waiting)).map(({ outcome, channel }) => [outcome, channel])).toEqual(
    [
      ['not_allowed', 'temporal'],
      ['taken', 'temporal'],
    ],
  );
});

test('a signal rejects', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  await lane.working(async () => {
    const said = await workflow(
      'signal',
      '--name',
      'decide',
      ...idOf(waiting),
      ...input({ ...APPROVE, decision: 'reject', reason_code: 'too_early' }),
    );
    expect([said.code, said.err]).toEqual([0, '']);
    expect(await waiting.handle.result()).toMatchObject({ status: 'rejected' });
  });
  expect(await lane.audit(waiting.workspace, waiting.id)).toEqual([
    'proposal.opened promotion',
    'proposal.rejected promotion',
  ]);
});

test('show, describe and query read as a record, and hold no content', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  await lane.working(async () => {
    await lane.begun(waiting);
    const state = await workflow('query', '--name', 'state', ...idOf(waiting));
    expect(state.out).toMatch(/"status":"open".*"type":"promotion"/);
    await workflow('signal', '--name', 'decide', ...idOf(waiting), ...input(APPROVE));
    await waiting.handle.result();
  });
  const shown = await workflow('show', ...idOf(waiting));
  const detailed = await workflow('show', '--detailed', ...idOf(waiting));
  const described = await workflow('describe', ...idOf(waiting));
  expect([shown.code, detailed.code, described.code]).toEqual([0, 0, 0]);
  for (const activity of ['beginProposal', 'decideProposal']) {
    expect(detailed.out).toContain(activity);
  }
  const record = {
    proposal_id: waiting.id,
    type: 'promotion',
    status: 'applied',
    version: 1,
    reminders: 0,
    decisions: { taken: 1, refused: 0 },
    channel: 'temporal',
  };
  const { result } = await json<{ result: unknown }>('describe', ...idOf(waiting));
  expect(result).toEqual(record);
  const summary = `Proposal ${waiting.id} of ${waiting.workspace}: waits for a person`;
  expect(described.out).toContain(summary);
  const all = [shown, detailed, described].map(({ out }) => out).join('\n');
  expect(all).not.toMatch(/PLANTED|To be decided|releases are told/);
});

test('a query finds proposals by what they are about and how they stand', async () => {
  const workspace = await lane.workspace();
  const [open, decided] = [await lane.promotion(workspace), await lane.promotion(workspace)];
  const contradiction = await lane.contradiction(workspace);
  for (let n = 0; n < 3; n += 1) await lane.file(workspace);
  const fix = await lane.proposed(workspace);
  const ids = (...some: Waiting[]) => some.map(({ handle }) => handle.workflowId).sort();
  const mine = (query: string) => listed(`CairnWorkspace = "${workspace}" AND ${query}`);
  await lane.working(async () => {
    await lane.decide(decided, APPROVE);
    await lane.decide(fix, APPROVE);
    await decided.handle.result();
    // What a search shows follows after a moment.
    await until(
      async () => (await mine('CairnProposalStatus IN ("applied", "approved")')).length === 2,
    );
    await until(async () => (await mine('CairnProposalStatus = "open"')).length === 2);
    expect(await mine('CairnProposalStatus = "open"')).toEqual(ids(open, contradiction));
    expect(await mine('CairnProposal = "promotion"')).toEqual(ids(open, decided));
    expect(await mine('CairnProposal = "config_fix" AND CairnProposalStatus = "approved"')).toEqual(
      ids(fix),
    );
    expect(await mine('CairnProposalStatus = "applied" AND ExecutionStatus = "Completed"')).toEqual(
      ids(decided),
    );
  });
});
