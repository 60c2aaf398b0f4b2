import fc from 'fast-check';
import { sessionVerdict, type WatchedSession, watchVerdict } from '../src/domain/reflection/watch';
import { CaptureLane } from './support/capture-lane';
import { failedCall } from './support/distilling';
import { changesOf, filed } from './support/night';
import { auditOf, factsIn, payments, reflected } from './support/reflecting';

jest.setTimeout(180_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(async () => {
  await lane?.stop();
});

/** A workspace in which one fact was approved. */
async function approved(): Promise<{ workspace: string; fact: string }> {
  const workspace = await lane.workspace();
  await filed(lane, workspace, payments('ada', [608, 420, 300]));
  await reflected(lane, workspace);
  const [fact] = await factsIn(lane, workspace);
  if (fact === undefined) throw new Error('nothing was approved');
  return { workspace, fact: fact.id };
}

let sessions = 0;
/** A session into which a card was injected a minute ago, and how it ended since. */
async function session(
  workspace: string,
  card: string,
  end: 'worked' | 'failed' | null,
): Promise<string> {
  sessions += 1;
  const id = `session-${sessions}`;
  const at = new Date();
  await lane.rows(
    workspace,
    `WITH s AS (
       INSERT INTO sessions (workspace_id, id, root_agent, started_at, final_at, final_outcome)
       VALUES ($1, $2, 'ada', $3, CASE WHEN $4::text IS NOT NULL THEN $3::timestamptz + interval '1 minute' END, $4)
     ),
     r AS (
       INSERT INTO recalls (workspace_id, id, at, agent_id, execution_mode, session, intent, profile, context_version)
       VALUES ($1, 'recall-' || $2, $3, 'ada', 'headless', $2, 'act', 'fleet', 'v')
     )
     INSERT INTO recall_cards (workspace_id, recall_id, card_id, position, section, score, via)
     VALUES ($1, 'recall-' || $2, $5, 0, 'known', 1, '{own}')`,
    [workspace, id, at, end, card],
  );
  return id;
}

/** A call in a session, later than its recall. */
const called = (workspace: string, id: string, more: object) =>
  filed(lane, workspace, [
    failedCall({
      event_id: `${id}-${JSON.stringify(more).length}`,
      agent: 'ada',
      session: id,
      occurred_at: new Date(Date.now() + 5_000).toISOString(),
      ...more,
    }),
  ]);
const SHORT = {
  service: 'booking',
  operation: 'book',
  input: { room: 'again', payment_amount: 1 },
  error: 'the payment amount does not add up, total price is 77',
};

const standing = async (workspace: string, id: string) => {
  const card = (await factsIn(lane, workspace)).find((one) => one.id === id);
  return [card?.status, card?.confidence, card?.version];
};

describe('what was approved', () => {
  test('is unconfirmed and half as sure once outcomes turn against it, and archived the second time', async () => {
    const { workspace, fact } = await approved();
    const [, sure] = await standing(workspace, fact);
    await session(workspace, fact, 'failed');
    const one = await reflected(lane, workspace);
    expect(one.counts).toMatchObject({ watched: 1 });
    expect(one.counts.demoted).toBeUndefined();
    expect(await standing(workspace, fact)).toEqual(['active', sure, 1]);

    await session(workspace, fact, 'failed');
    expect((await reflected(lane, workspace)).counts).toMatchObject({ demoted: 1 });
    expect(await standing(workspace, fact)).toEqual(['pending', Number(sure) / 2, 2]);
    expect(await auditOf(lane, workspace, 'card.demoted')).toEqual([
      'card.demoted status confidence',
    ]);
    expect(await changesOf(lane, workspace)).toContainEqual(
      expect.objectContaining({
        change: 'edited',
        card_id: fact,
        version_before: 1,
        version_after: 2,
        reason: 'turned_against',
      }),
    );

    // What was counted once is not counted again.
    expect((await reflected(lane, workspace)).counts.demoted).toBeUndefined();
    for (const end of ['failed', 'failed'] as const) await session(workspace, fact, end);
    await reflected(lane, workspace);
    expect(await standing(workspace, fact)).toEqual(['archived', Number(sure) / 2, 3]);
    expect((await reflected(lane, workspace)).counts.watched).toBeUndefined();
  });

  test('stays where as many sessions bear it out', async () => {
    const { workspace, fact } = await approved();
    for (const end of ['failed', 'worked', 'failed'] as const) await session(workspace, fact, end);
    expect((await reflected(lane, workspace)).counts.demoted).toBeUndefined();
    expect(
      await lane.rows(workspace, 'SELECT turned_against, borne_out, demotions FROM watches'),
    ).toEqual([{ turned_against: 2, borne_out: 1, demotions: 0 }]);
  });

  test('is told against by the very failure that it should have spared, and by nothing that failed elsewhere', async () => {
    const { workspace, fact } = await approved();
    for (const end of ['failed', 'failed'] as const) {
      const id = await session(workspace, fact, end);
      await called(workspace, id, { event_id: `${id}-else`, service: 'slack' });
    }
    expect((await reflected(lane, workspace)).counts.demoted).toBeUndefined();
    for (let n = 0; n < 2; n += 1) {
      await called(workspace, await session(workspace, fact, null), SHORT);
    }
    expect((await reflected(lane, workspace)).counts).toMatchObject({ demoted: 1 });
  });

  test('is told against by contradictions drawn since', async () => {
    const { workspace, fact } = await approved();
    const others = await filed(lane, workspace, payments('ada', [111]));
    for (const [at, other] of others.entries()) {
      await lane.rows(
        workspace,
        `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
         VALUES ($1, $2, 'conflicts', $3, $4, 0.9, 'another value', now())`,
        [workspace, `edge-${at}`, other, fact],
      );
    }
    expect((await reflected(lane, workspace)).counts).toMatchObject({ demoted: 1 });
  });

  test('is a person’s once they validated it', async () => {
    const { workspace, fact } = await approved();
    await lane.rows(workspace, "UPDATE cards SET status = 'validated' WHERE id = $1", [fact]);
    for (const end of ['failed', 'failed'] as const) await session(workspace, fact, end);
    expect((await reflected(lane, workspace)).counts.watched).toBeUndefined();
    expect((await standing(workspace, fact))[0]).toBe('validated');
  });

  test('of a skill, sessions that made none of its calls say nothing, and those that failed at one do', async () => {
    const workspace = await lane.workspace();
    for (const [at, task] of ['t1', 't2'].entries()) {
      const call = (operation: string, minute: number) => {
        const { error: _error, ...worked } = failedCall({
          event_id: `${task}-${operation}`,
          ...{ agent: 'ada', task, session: task, task_type: 'refund', service: 'shop', operation },
          input: { order: task },
          occurred_at: `2026-03-0${at + 2}T08:0${minute}:00Z`,
        });
        return { ...worked, outcome: 'worked' as const, output: { done: true } };
      };
      await filed(lane, workspace, ['find', 'check', 'refund'].map(call));
    }
    await reflected(lane, workspace);
    const [skill] = await factsIn(lane, workspace);
    expect(skill).toMatchObject({ kind: 'skill_lesson', status: 'active' });
    const at =
      (operation: string, service = 'shop') =>
      async () => {
        const id = await session(workspace, skill?.id ?? '', 'failed');
        await called(workspace, id, { event_id: `${id}-call`, service, operation });
      };
    for (const elsewhere of [at('post', 'slack'), at('post', 'slack')]) await elsewhere();
    expect((await reflected(lane, workspace)).counts.demoted).toBeUndefined();
    for (const failed of [at('check'), at('refund')]) await failed();
    expect((await reflected(lane, workspace)).counts).toMatchObject({ demoted: 1 });
  });

  test('is only said to be demoted by a dry run', async () => {
    const { workspace, fact } = await approved();
    for (const end of ['failed', 'failed'] as const) await session(workspace, fact, end);
    expect((await reflected(lane, workspace, { dry_run: true })).counts).toMatchObject({
      demoted: 1,
    });
    expect((await standing(workspace, fact))[0]).toBe('active');
  });

  test('is not found again from the same evidence once it is in the archive', async () => {
    const { workspace, fact } = await approved();
    await lane.rows(workspace, "UPDATE cards SET status = 'archived' WHERE id = $1", [fact]);
    await filed(lane, workspace, payments('ada', [512]));
    expect((await reflected(lane, workspace)).counts).toMatchObject({ known: 1 });
    expect(await factsIn(lane, workspace)).toHaveLength(1);
  });
});

describe('the formulas', () => {
  const anySession: fc.Arbitrary<WatchedSession> = fc.record({
    final: fc.constantFrom('worked' as const, 'failed' as const, null),
    calls: fc.nat(5),
    worked: fc.nat(3),
    failed: fc.nat(3),
  });

  test('a session of other work says nothing, a bad end never speaks for it, a good one never against it', () => {
    fc.assert(
      fc.property(anySession, fc.boolean(), (session, isGeneral) => {
        const verdict = sessionVerdict(session, isGeneral);
        const isElsewhere = session.calls > 0 && session.worked + session.failed === 0;
        if (isElsewhere && !isGeneral) expect(verdict).toBe('nothing');
        if (session.final === 'failed') expect(verdict).not.toBe('for');
        if (session.final === 'worked') expect(verdict).not.toBe('against');
        if (session.final === null) expect(verdict).not.toBe('for');
      }),
    );
  });

  test('more against it never keeps what less would demote, and the second time is the last', () => {
    fc.assert(
      fc.property(
        fc.nat(9),
        fc.nat(9),
        fc.nat(3),
        fc.integer({ min: 1, max: 5 }),
        (a, b, n, after) => {
          const seen = { turnedAgainst: a, borneOut: b, demotions: n };
          const verdict = watchVerdict(seen, after);
          expect(verdict === 'keep').toBe(a - b < after);
          if (verdict !== 'keep') {
            expect(watchVerdict({ ...seen, turnedAgainst: a + 1 }, after)).toBe(verdict);
            expect(verdict).toBe(n === 0 ? 'unconfirm' : 'archive');
          }
        },
      ),
    );
  });
});
