import { CairnClient, CairnError } from '../src/client/index';
import { runCommand } from './support/cli';
import { describeNative } from './support/database';
import { DecidingLane } from './support/deciding-lane';
import { writeCard } from './support/fleet';

jest.setTimeout(120_000);

describeNative('a reviewer with only the command line', () => {
  let lane: DecidingLane;
  beforeAll(async () => {
    lane = await DecidingLane.start();
    await lane.work();
  });
  afterAll(() => lane?.stop());

  const cairn = (args: string[], key = lane.keys.rita) =>
    runCommand(args, { CAIRN_URL: lane.api.url, CAIRN_KEY: key });
  const json = async (args: string[], key?: string) => {
    const { code, out } = await cairn([...args, '--json'], key);
    return { code, body: JSON.parse(out) };
  };
  const write = async (summary: string, more: object = {}): Promise<string> => {
    const scope = { type: 'agent', id: 'scout' };
    return (await writeCard(lane.api, { summary, scope, ...more })).id;
  };

  it('sees an empty inbox, what waits in it, and one of it whole', async () => {
    expect((await cairn(['inbox'])).out).toBe('Nothing waits.\n');
    const card = await write('The \u001b[31mred\u001b[0m buoy drifts.');
    const asked = await json(
      ['promote', card, '--team', 'red', '--reason', 'all moor there', '--expires-in', 'P3D'],
      lane.keys.rolf,
    );
    const { proposal_id: id } = asked.body;
    const inbox = await cairn(['inbox']);
    expect(inbox.out).toMatch(
      new RegExp(`^${id} +promotion  *open  *(?:now|\\d+ min)  *2 d  *Show a `, 'm'),
    );
    expect(inbox.out).toContain('1 of 1');
    const whole = await cairn(['inbox', id]);
    expect(whole.out).toContain(`${card}: from agent scout to team red`);
    expect(whole.out).toContain('asked for because: all moor there');
    expect(whole.out).toContain('The [31mred[0m buoy drifts.');
    expect(whole.out).not.toMatch(/\u001b/);
    expect(whole.out).toContain(`Decide: cairn approve ${id}`);
    expect((await json(['inbox', '--type', 'config_fix'])).body).toMatchObject({ total: 0 });
    expect((await json(['inbox', id])).body).toMatchObject({ id, cards: [{ id: card }] });

    const rejected = await cairn(['reject', id, '--reason', 'it is one buoy']);
    expect([rejected.code, rejected.err]).toEqual([0, '']);
    expect(rejected.out).toMatch(/reject, version 1, by rita \(api\): it is one buoy/);
    expect((await cairn(['inbox'])).out).toBe('Nothing waits.\n');
    expect((await cairn(['inbox', '--all'])).out).toContain(id);
  });

  it('approves in the first version, or in the one that is named', async () => {
    const { proposal_id: id } = await lane.asked(await write('Oars are stowed aft.'));
    const stale = await json(['approve', id, '--version', '7']);
    expect([stale.code, stale.body.error.code]).toEqual([1, 'stale_version']);
    const approved = await json(['approve', id, '--reason', 'true everywhere']);
    expect([approved.code, approved.body]).toEqual([
      0,
      expect.objectContaining({ id, status: 'applied', version: 1 }),
    ]);
    const late = await cairn(['reject', id]);
    expect([late.code, late.out]).toEqual([1, '']);
    expect(late.err).toContain('[409 already_decided]');
  });

  it('decides no version that they have not named, but for the first', async () => {
    const card = await write('Anchors hold in clay.');
    const { proposal_id: id } = await lane.asked(card);
    const topic = { body: { topic: 'holding' }, headers: { 'if-match': '"1"' } };
    expect((await lane.api.call('PATCH', `/v1/cards/${card}`, topic)).status).toBe(200);
    expect((await json(['approve', id])).body.error.code).toBe('world_changed');
    for (const verb of ['approve', 'reject']) {
      const { code, out, err } = await cairn([verb, id]);
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain(
        `this is version 2 by now: look at it with \`cairn inbox ${id}\`, then say --version 2`,
      );
    }
    expect(await lane.proposal(id)).toMatchObject({ status: 'open', version: 2, decisions: [] });
    const whole = await cairn(['inbox', id]);
    expect(whole.out).toContain(
      `Decide: cairn approve ${id} --version 2, or cairn reject ${id} --version 2`,
    );
    const approved = await json(['approve', id, '--version', '2']);
    expect(approved.body).toMatchObject({ status: 'applied', version: 2 });
  });

  it('takes the other side of a contradiction', async () => {
    const key = 'draught';
    await write('The draught is two metres.', { key, scope: { type: 'team', id: 'red' } });
    await write('Three metres of water are needed there.', {
      key,
      scope: { type: 'workspace', id: 'default' },
    });
    const { body } = await json(['inbox', '--type', 'contradiction']);
    const { id, change } = body.items[0];
    const whole = await cairn(['inbox', id]);
    expect(whole.out).toContain(`--winner ${change.loser}`);
    for (const side of [change.winner, change.loser]) expect(whole.out).toContain(side);
    await cairn(['approve', id, '--winner', change.loser]);
    const { body: kept } = await lane.done('GET', `/v1/cards/${change.loser}`);
    expect(kept.status).toBe('validated');
  });

  it('sees who is good at what, best evidence first', async () => {
    expect((await cairn(['competence'])).out).toMatch(/^Nothing is known/);
    const rowing = async (agent: string, outcome: 'worked' | 'failed', more: object = {}) =>
      await lane.captured({
        kind: 'delegation',
        task_type: 'row_ashore',
        outcome,
        input: { to: agent },
        delegate: { agent, ...more },
        ...(outcome === 'failed' ? { error: 'Error: the oar broke' } : {}),
      });
    await rowing('stranger', 'failed');
    await rowing('mate', 'worked', { cost: 1.5, duration_ms: 90_000 });
    await rowing('mate', 'worked', { cost: 2, duration_ms: 90_000 });
    const { out } = await cairn(['competence', '--task-type', 'row_ashore']);
    const [heads, first, second, , counted] = out.split('\n');
    expect(heads).toMatch(
      /^agent +task type +completed +at least +as of now +mean cost +mean time +last +card$/,
    );
    expect(first).toMatch(
      /^mate +row_ashore +2\/2 +34 % +34 % +1\.75 +90 s +\d{4}-\d\d-\d\d +card_\w+$/,
    );
    expect(second).toMatch(/^stranger +row_ashore +0\/1 +0 % +0 % +– +– +\d{4}-\d\d-\d\d /);
    expect(counted).toBe('2 of 2');
    const agents = async (...args: string[]) =>
      (await json(['competence', ...args])).body.items.map((one: { agent: string }) => one.agent);
    expect(await agents()).toEqual(['mate', 'stranger']);
    expect(await agents('--team', 'blue')).toEqual(['stranger']);
    expect(await agents('--agent', 'mate')).toEqual(['mate']);
    expect(await agents('--task-type', 'sail')).toEqual([]);
    expect((await cairn(['competence', '--limit', '1'])).out).toMatch(/1 of 2; the next page: --/);
  });

  it('takes a promotion back', async () => {
    const card = await write('Lamps burn till six.');
    const asked = await json(['promote', card, '--workspace'], lane.keys.rolf);
    await cairn(['approve', asked.body.proposal_id]);
    const demoted = await cairn(['demote', card, '--reason', 'not in winter']);
    expect(demoted.out).toContain('agent scout');
    const again = await json(['demote', card]);
    expect([again.code, again.body.error.code]).toEqual([1, 'not_promoted']);
  });

  it('sees fixes, and a runtime says that one is applied', async () => {
    for (const job of ['one', 'two', 'three']) {
      await lane.captured({
        service: 'winch',
        operation: 'haul',
        outcome: 'failed',
        input: { job },
        error: `Error: no rope for ${job}`,
      });
    }
    const { body } = await json(['inbox', '--type', 'config_fix']);
    const { id } = body.items[0];
    expect((await cairn(['fixes'])).out).toBe('No fixes.\n');
    await cairn(['approve', id]);
    expect((await cairn(['fixes', '--status', 'approved'])).out).toContain('approved');
    const said = ['fixes', 'applied', id, '--config-version', 'v2', '--note', 'more rope'];
    const applied = await json(said, lane.keys.runtime);
    expect(applied.body).toMatchObject({ status: 'applied', config_version: 'v2' });
    const listed = await cairn(['fixes', 'list', '--team', 'red']);
    expect(listed.out).toMatch(/applied \S+, in v2 {2}team red; since then 0 worked, 0 failed/);
    expect((await json(said)).body.error.code).toBe('not_allowed');
  });

  it.each([
    [['approve']],
    [['approve', 'x', '--version', 'one']],
    [['reject', 'x', '--winner', 'y']],
    [['inbox', '--type', 'rumour']],
    [['promote', 'x']],
    [['promote', 'x', '--team', 'red', '--workspace']],
    [['fixes', 'applied']],
  ])('is told what is wrong use, with 2: cairn %j', async (args) => {
    const { code, out, err } = await cairn(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toBe('');
  });

  it('has the same from TypeScript', async () => {
    const as = (key: string) => new CairnClient({ url: lane.api.url, key });
    const card = await write('Fenders hang low.');
    const scope = { type: 'team', id: 'red' } as const;
    const { proposal_id: id } = await as(lane.keys.scout).cards.promote(card, { scope });
    const rita = as(lane.keys.rita);
    const { items } = await rita.proposals.list({ status: ['open', 'reopened'], card });
    expect(items.map((one) => one.id)).toEqual([id]);
    const seen: string[] = [];
    for await (const one of rita.proposals.iterate({ limit: 1 })) seen.push(one.id);
    expect(seen[0]).toBe(id);
    const { version } = await rita.proposals.get(id);
    const decided = await rita.proposals.decide(id, { decision: 'approve', version });
    expect(decided.status).toBe('applied');
    const error = await as(lane.keys.rolf)
      .proposals.decide(id, { decision: 'reject', version })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CairnError);
    expect(error).toMatchObject({ status: 409, code: 'already_decided' });
    expect((await rita.cards.demote(card)).scope).toEqual({ type: 'agent', id: 'scout' });
    const { items: fixes } = await as(lane.keys.runtime).configFixes.list({ step: 'haul' });
    expect(fixes).toHaveLength(1);
    const fix = await rita.configFixes.get(fixes[0]?.id ?? '');
    expect(fix).toEqual(fixes[0]);
    expect(await as(lane.keys.runtime).configFixes.applied(fix.id)).toEqual(fix);
  });
});
