import { Client as PgClient } from 'pg';
import { decideProposal } from '../src/store/proposal-deciding';
import { describeNative } from './support/database';
import { ProposalLane, until } from './support/proposal-lane';
import { fixFor, listening } from './support/proposal-lives';

jest.setTimeout(120_000);

describeNative('a step that fails while a person rejects its fix', () => {
  let lane: ProposalLane;
  beforeAll(async () => {
    lane = await ProposalLane.start('dev');
  });
  afterAll(() => lane?.stop());

  test('is not proposed again for what was just rejected', async () => {
    const workspace = await listening(lane);
    const fix = await fixFor(lane, workspace);
    const [lock, look] = [1, 2].map(() => new PgClient({ connectionString: lane.databaseUrl }));
    if (!lock || !look) throw new Error('two connections');
    await Promise.all([lock.connect(), look.connect()]);
    const waitingForLocks = (count: number) =>
      until(async () => {
        const { rows } = await look.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length === count;
      });
    try {
      // The rejection stands before the webhook that it tells, with everything else done.
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM webhooks FOR UPDATE');
      const rejecting = lane.database.inWorkspace(workspace, async (tx) =>
        decideProposal(tx, {
          id: fix.id,
          decisionId: 'one',
          request: { decision: 'reject', by: 'reviewer', version: 1 },
          at: await lane.now(),
          workflowId: fix.handle.workflowId,
        }),
      );
      await waitingForLocks(1);
      const filing = lane.file(workspace);
      await waitingForLocks(2);
      await lock.query('COMMIT');
      expect(await rejecting).toMatchObject({ outcome: 'taken', status: 'rejected' });
      expect(await filing).toMatchObject({ disposition: 'carded', strikes: 1 });
    } finally {
      await Promise.all([lock.end(), look.end()]);
    }
    const proposals = await lane.rows(workspace, 'SELECT status FROM proposals');
    expect(proposals).toEqual([{ status: 'rejected' }]);
    await fix.handle.terminate('it was decided past its workflow');
  });
});
