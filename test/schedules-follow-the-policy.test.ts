import { Client, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection } from '@temporalio/worker';
import pino from 'pino';
import { SCHEDULED_PASSES } from '../src/contracts/passes';
import type { PolicyPatch } from '../src/contracts/policy';
import { passScheduleId } from '../src/contracts/workflow-ids';
import { freePort } from '../src/embedded/free-port';
import type { Database, Tx } from '../src/store/database';
import { insertPolicy } from '../src/store/policies';
import { ensurePassSchedules } from '../src/worker/pass-schedules';
import { Registration } from '../src/worker/registration';
import { DONE, FanOutLane, until } from './support/fan-out-lane';
import { createDevServerEnv } from './support/temporal';

jest.setTimeout(180_000);

const log = pino({ level: 'silent' });
let lane: FanOutLane;
beforeAll(async () => {
  lane = await FanOutLane.start();
});
afterAll(() => lane?.stop());

const rows = <Row>(workspace: string, statement: string, values: unknown[] = []) =>
  lane.captures.rows<Row>(workspace, statement, values);
const database = () => lane.captures.database;
const schedules = () => lane.env.client.schedule;
const ensure = (anew = false) => ensurePassSchedules(schedules(), database(), anew);
const described = (workspace: string, type: string) =>
  schedules().getHandle(passScheduleId(workspace, type)).describe();

async function setPolicy(workspace: string, expected: number, policy: PolicyPatch): Promise<void> {
  const isSet = await database().inWorkspace(workspace, (tx) =>
    insertPolicy(tx, expected, policy, new Date()),
  );
  if (!isSet) throw new Error('the policy was not set');
}

/** The clock times and the month's days of a Schedule, as Temporal keeps them. */
async function hours(workspace: string, type: string) {
  const { spec } = await described(workspace, type);
  const [calendar] = spec.calendars ?? [];
  return {
    hour: calendar?.hour.map(({ start }) => start),
    minute: calendar?.minute.map(({ start }) => start),
    dayOfMonth: calendar?.dayOfMonth.map(({ start, end }) => [start, end]),
    calendars: spec.calendars?.length,
    timezone: spec.timezone,
  };
}

describe('the Schedules of a workspace', () => {
  it('are made once by workers that start at the same moment, as the policy has it', async () => {
    const workspace = await lane.captures.workspace();
    await setPolicy(workspace, 0, {
      consolidation: { timezone: 'Europe/Berlin', at: '02:30' },
      retention: { paused: true },
    });
    await Promise.all([ensure(), ensure(), ensure()]);
    expect(await hours(workspace, 'consolidation')).toEqual({
      hour: [2],
      minute: [30],
      dayOfMonth: [[1, 31]],
      calendars: 1,
      timezone: 'Europe/Berlin',
    });
    expect((await hours(workspace, 'recalibration')).dayOfMonth).toEqual([[1, 1]]);
    for (const type of SCHEDULED_PASSES) {
      const { spec, policies, action, state } = await described(workspace, type);
      expect(spec.jitter).toBe(5 * 60_000);
      expect(policies).toMatchObject({
        overlap: ScheduleOverlapPolicy.SKIP,
        catchupWindow: 6 * 3_600_000,
      });
      expect(action).toMatchObject({
        workflowType: 'fanOut',
        workflowId: passScheduleId(workspace, type),
        args: [{ workspace, type }],
      });
      expect([type, state.paused]).toEqual([type, type === 'retention']);
    }
  });

  it('follow a policy that changes, without anything of the old one', async () => {
    const workspace = await lane.captures.workspace();
    await ensure();
    await setPolicy(workspace, 0, {
      consolidation: { timezone: 'Asia/Tokyo', at: '05:15', paused: true },
      recalibration: { day: 15 },
    });
    const connection = await NativeConnection.connect({ address: lane.env.address });
    const registration = await Registration.start({
      connection,
      namespace: 'default',
      log,
      database: database(),
      everyMs: 200,
    });
    try {
      expect(await hours(workspace, 'consolidation')).toMatchObject({
        hour: [5],
        minute: [15],
        calendars: 1,
        timezone: 'Asia/Tokyo',
      });
      // While it runs, by its regular look.
      await setPolicy(workspace, 1, { consolidation: { at: '06:45' } });
      await until(async () => (await hours(workspace, 'consolidation')).hour?.[0] === 6);
      const { state } = await described(workspace, 'consolidation');
      expect(state.paused).toBe(false);
      expect((await hours(workspace, 'recalibration')).dayOfMonth).toEqual([[1, 1]]);
    } finally {
      await registration.stop();
      await connection.close();
    }
  });

  it('stay paused where an operator paused them, whatever the policy says next', async () => {
    const workspace = await lane.captures.workspace();
    await ensure();
    await schedules().getHandle(passScheduleId(workspace, 'reflection')).pause('looking at it');
    await setPolicy(workspace, 0, { reflection: { at: '04:20' }, consolidation: { paused: true } });
    await ensure();
    expect(await hours(workspace, 'reflection')).toMatchObject({ hour: [4], minute: [20] });
    const { state } = await described(workspace, 'reflection');
    expect(state).toMatchObject({ paused: true, note: 'looking at it' });
    // Those of the policy go as the policy says.
    await setPolicy(workspace, 1, {});
    await ensure();
    expect((await described(workspace, 'consolidation')).state.paused).toBe(false);
    expect((await described(workspace, 'reflection')).state.paused).toBe(true);
  });

  it('of one workspace that Temporal refuses keep no other one waiting', async () => {
    const refused = await lane.captures.workspace();
    const other = await lane.captures.workspace();
    await rows(
      refused,
      `INSERT INTO policies (workspace_id, version, document, created_at)
       VALUES ($1, 1, '{"consolidation": {"timezone": "Middle/Earth"}}', now())`,
      [refused],
    );
    expect((await ensure()).failed).toBe(1);
    expect((await hours(other, 'consolidation')).calendars).toBe(1);
    await expect(described(refused, 'consolidation')).rejects.toThrow(ScheduleNotFoundError);
    await rows(refused, 'DELETE FROM policies');
    expect(await ensure()).toEqual({ set: 1, failed: 0 });
  });

  it('cost one statement where nothing is to be done, however many workspaces there are', async () => {
    for (let n = 0; n < 60; n += 1) await lane.captures.workspace();
    await lane.captures.asOwner('UPDATE workspaces SET schedules_stale = false');
    let statements = 0;
    const counting = {
      acrossWorkspaces: <T>(work: (tx: Tx) => Promise<T>) =>
        database().acrossWorkspaces((tx) =>
          work({
            ...tx,
            query: (...args) => {
              statements += 1;
              return tx.query(...args);
            },
          }),
        ),
    } as Database;
    expect(await ensurePassSchedules(schedules(), counting, false)).toEqual({ set: 0, failed: 0 });
    expect(statements).toBe(1);
  });
});

describe('a Schedule that goes off', () => {
  it('starts a pass of the day that it was planned for, in the zone of the workspace', async () => {
    const workspace = await lane.workspace(2);
    // One of these two is another day than in UTC, at any moment.
    for (const [version, timezone] of ['Pacific/Kiritimati', 'Pacific/Niue'].entries()) {
      await setPolicy(workspace, version, { consolidation: { timezone } });
      await ensure();
      await lane.working(
        async () => DONE,
        async () => {
          const before = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format();
          await schedules().getHandle(passScheduleId(workspace, 'consolidation')).trigger();
          await until(async () => (await passesOf(workspace)).length === version + 1);
          const [run] = await passesOf(workspace);
          const after = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format();
          expect([before, after]).toContain(run?.day);
          expect(run).toMatchObject({ asked_by: null, counts: { steps: 2 } });
          expect(run?.workflow_id).toMatch(`night/${workspace}/consolidation-`);
        },
      );
    }
  });

  it('says of one that was lost that it was, and goes on', async () => {
    const workspace = await lane.workspace(1);
    await ensure();
    await rows(
      workspace,
      `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, day)
       VALUES ($1, 'lost', 'consolidation', 'workspace', $1, 'running', 'night/x', now(), '2026-03-02')`,
      [workspace],
    );
    await lane.working(
      async () => DONE,
      async () => {
        await schedules().getHandle(passScheduleId(workspace, 'consolidation')).trigger();
        await until(async () => (await passesOf(workspace)).length === 1);
      },
    );
    expect(await lane.run(workspace, 'lost')).toMatchObject({ state: 'failed', error: 'lost' });
  });

  it('starts a pass that skips where the policy has it paused, or nothing is remembered', async () => {
    const workspace = await lane.workspace(1);
    await ensure();
    await setPolicy(workspace, 0, { consolidation: { paused: true } });
    await lane.working(
      async () => DONE,
      async () => {
        await schedules().getHandle(passScheduleId(workspace, 'consolidation')).trigger();
        await until(async () => (await passesOf(workspace)).length === 1);
        expect((await passesOf(workspace))[0]?.counts).toEqual({ skipped: 1 });
        // Whoever asks for it by hand gets it all the same.
        const asked = await lane.ask(workspace);
        expect((await lane.passed(workspace, asked)).units).toBe(1);
      },
    );
  });

  const passesOf = (workspace: string) =>
    rows<{ day: string; workflow_id: string; counts: object; asked_by: string | null }>(
      workspace,
      `SELECT * FROM runs WHERE parent_id IS NULL AND type = 'consolidation' AND state = 'completed'
        ORDER BY created_at DESC`,
    );
});

describe('a Temporal that came back empty', () => {
  it('is given the Schedules of every workspace again', async () => {
    const port = await freePort();
    let env: TestWorkflowEnvironment = await createDevServerEnv({ port });
    const workspace = await lane.captures.workspace();
    const connection = await NativeConnection.connect({ address: env.address });
    const registration = await Registration.start({
      connection,
      namespace: 'default',
      log,
      database: database(),
      everyMs: 200,
    });
    try {
      await env.teardown();
      env = await createDevServerEnv({ port });
      const { connection: anew } = env;
      const client = new Client({ connection: anew });
      await until(async () => {
        const handle = client.schedule.getHandle(passScheduleId(workspace, 'retention'));
        return await handle.describe().then(
          () => true,
          () => false,
        );
      });
    } finally {
      await registration.stop();
      await connection.close();
      await env.teardown();
    }
  });
});
