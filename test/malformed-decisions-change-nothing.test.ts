import { historyText } from './support/history-text';
import { ProposalLane, type Waiting } from './support/proposal-lane';

jest.setTimeout(120_000);

const APPROVE = { decision: 'approve', by: 'reviewer', version: 1 };

/** Arguments of the signal or the update. */
const SHAPES: [string, unknown[]][] = [
  ['nothing at all', []],
  ['null', [null]],
  ['a word', ['approve']],
  ['a number', [1]],
  ['a list', [[APPROVE]]],
  ['no field', [{}]],
  ['the decision alone', [{ decision: 'approve' }]],
  ['another decision', [{ ...APPROVE, decision: 'approved' }]],
  ['a decision that is none', [{ ...APPROVE, decision: { toString: 'approve' } }]],
  ['nobody', [{ decision: 'approve', version: 1 }]],
  ['an empty name', [{ ...APPROVE, by: '' }]],
  ['a name with a NUL', [{ ...APPROVE, by: 'rev\u0000iewer' }]],
  ['a name with half a character', [{ ...APPROVE, by: 'rev\ud800iewer' }]],
  ['a sentence for a name', [{ ...APPROVE, by: 'the reviewer of support' }]],
  ['a name that never ends', [{ ...APPROVE, by: 'r'.repeat(201) }]],
  ['several people', [{ ...APPROVE, by: ['reviewer', 'owner'] }]],
  ['no version', [{ decision: 'approve', by: 'reviewer' }]],
  ['a version in quotes', [{ ...APPROVE, version: '1' }]],
  ['version 0', [{ ...APPROVE, version: 0 }]],
  ['half a version', [{ ...APPROVE, version: 1.5 }]],
  ['a version that no row holds', [{ ...APPROVE, version: 2 ** 31 }]],
  ['a sentence for a code', [{ ...APPROVE, reason_code: 'because I say so' }]],
  ['an e-mail for a person', [{ ...APPROVE, by: 'jane.doe@example.org' }]],
  ['a telephone number for a person', [{ ...APPROVE, by: '555-867-5309' }]],
  ['a key for a person', [{ ...APPROVE, by: ['A', 'K', 'IA', 'IOSFODNN7EXAMPLE'].join('') }]],
  [
    'a key for a code',
    [{ ...APPROVE, reason_code: ['A', 'K', 'IA', 'IOSFODNN7EXAMPLE'].join('') }],
  ],
  ['a code that is no text', [{ ...APPROVE, reason_code: 7 }]],
  ['an intent that is none', [{ ...APPROVE, intent_id: "'; DROP TABLE proposals" }]],
  ['bytes', [new Uint8Array([0, 255, 128])]],
];

let lane: ProposalLane;
let workspace: string;
beforeAll(async () => {
  lane = await ProposalLane.start('dev');
  workspace = await lane.workspace();
});
afterAll(() => lane?.stop());

const rightful = async (waiting: Waiting) => {
  expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'applied', version: 1 });
  return await waiting.handle.result();
};

test('by Signal: each is counted as refused, and the next rightful one is taken', async () => {
  const waiting = await lane.promotion(workspace);
  const record = await lane.working(async () => {
    for (const [, args] of SHAPES) await lane.signal(waiting, ...args);
    for (const name of ['decided', 'fix_applied', 'fix_watched']) {
      await waiting.handle.signal(name, APPROVE);
    }
    return await rightful(waiting);
  });
  expect(record).toMatchObject({
    status: 'applied',
    decisions: { taken: 1, refused: SHAPES.length },
  });
  // Nobody can say who decided what.
  expect(await lane.decisions(waiting)).toHaveLength(1);
  expect(await lane.audit(workspace, waiting.id)).toEqual([
    'proposal.opened promotion',
    'proposal.approved promotion',
  ]);
});

test('before anybody works on it: they wait in line, and harm nothing', async () => {
  const waiting = await lane.promotion(workspace);
  for (const [, args] of SHAPES) await lane.signal(waiting, ...args);
  expect(await lane.working(() => rightful(waiting))).toMatchObject({
    decisions: { taken: 1, refused: SHAPES.length },
  });
});

test('by Update: each is answered at once, and leaves no event', async () => {
  const waiting = await lane.promotion(workspace);
  await lane.working(async () => {
    for (const [name, args] of SHAPES) {
      const [request] = args;
      expect([name, await lane.decide(waiting, request)]).toEqual([name, 'malformed']);
    }
    const { events } = await waiting.handle.fetchHistory();
    const accepted = events?.filter(
      (event) => event.workflowExecutionUpdateAcceptedEventAttributes,
    );
    expect(accepted).toEqual([]);
    await rightful(waiting);
  });
});

test('what stands beside a decision goes no further than its signal', async () => {
  const waiting = await lane.promotion(workspace);
  const record = await lane.working(async () => {
    await lane.signal(waiting, { ...APPROVE, note: 'PLANTED '.repeat(100_000) });
    return await waiting.handle.result();
  });
  expect(record).toMatchObject({ status: 'applied' });
  const { events } = await waiting.handle.fetchHistory();
  const others = events?.filter((event) => !event.workflowExecutionSignaledEventAttributes);
  expect(historyText(others)).not.toContain('PLANTED');
});
