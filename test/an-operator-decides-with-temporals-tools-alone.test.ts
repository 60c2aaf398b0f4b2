import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateTemporalCli } from '../src/embedded/fetch';
import { describeNative } from './support/database';
import { DecidingLane } from './support/deciding-lane';
import { writeCard } from './support/fleet';
import { fetchOptions } from './support/programs';

jest.setTimeout(120_000);

const PAGE = join(__dirname, '..', 'docs', 'deciding.md');

/** The commands of the page, as they stand there. */
const COMMANDS = [...readFileSync(PAGE, 'utf8').matchAll(/```\n([^`]+)```/g)]
  .flatMap((block) => (block[1] ?? '').replace(/\\\n\s*/g, '').split('\n'))
  .filter((line) => line.startsWith('temporal '));

function commandOf(part: string): string {
  const [found, ...more] = COMMANDS.filter((line) => line.includes(part));
  if (found === undefined || more.length > 0) throw new Error(`not one command with ${part}`);
  return found;
}

describeNative('an operator with only Temporal’s own command', () => {
  let lane: DecidingLane;
  let cli: string;
  beforeAll(async () => {
    // What the test run keeps of it is for servers, and says nothing.
    cli = await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI));
    lane = await DecidingLane.start();
    await lane.work();
  });
  afterAll(() => lane?.stop());

  const opened = async (): Promise<string> => {
    const scope = { type: 'agent', id: 'scout' };
    const { id } = await writeCard(lane.api, { summary: 'The pilot boards at dawn.', scope });
    const { proposal_id } = await lane.asked(id);
    await lane.begun(proposal_id);
    return proposal_id;
  };
  /** Runs a command of the page on this proposal; `swap` puts something else into it. */
  const run = async (command: string, id: string, swap: [string, string] = ['', '']) => {
    const line = command
      .replace(/^temporal /, `'${cli}' --output json `)
      .replace(/127\.0\.0\.1:\d+/, lane.env.address)
      .replace('prop_01m…', id)
      .replace(...swap);
    // Beside this process, which is the server that answers.
    return new Promise<{ failed: boolean; out: string; err: string }>((resolve) => {
      execFile('sh', ['-c', line], (error, out, err) =>
        resolve({ failed: error !== null, out, err }),
      );
    });
  };

  it('finds what waits, and asks how it stands', async () => {
    const id = await opened();
    const list = commandOf('workflow list');
    let found = await run(list, id);
    // What can be listed follows what is.
    for (let tries = 0; tries < 100 && !found.out.includes(id); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      found = await run(list, id);
    }
    expect(found.out).toContain(`proposal/default/${id}`);
    const state = await run(commandOf('workflow query'), id);
    expect(JSON.parse(state.out).queryResult).toEqual([
      expect.objectContaining({ proposal_id: id, status: 'open', version: 1 }),
    ]);
  });

  it('approves by Update, which answers', async () => {
    const id = await opened();
    const taken = await run(commandOf('update execute'), id);
    expect(JSON.parse(taken.out).result).toEqual({ status: 'applied', version: 1 });
    expect(await lane.proposal(id)).toMatchObject({
      status: 'applied',
      decisions: [{ by: 'rita', decision: 'approve', channel: 'temporal' }],
    });
  });

  it('is told by its code why a decision changes nothing, and that stands in the audit', async () => {
    const id = await opened();
    const update = commandOf('update execute');
    const refusals: [swap: [string, string], code: string][] = [
      [['"by": "rita"', '"by": "oskar"'], 'not_allowed'],
      [['"version": 1', '"version": 2'], 'stale_version'],
      [['"by": "rita", ', ''], 'malformed'],
    ];
    for (const [swap, code] of refusals) {
      const refused = await run(update, id, swap);
      expect([refused.failed, refused.out + refused.err]).toEqual([
        true,
        expect.stringContaining(code),
      ]);
    }
    expect((await lane.proposal(id)).status).toBe('open');
    expect((await lane.audited(id)).slice(1)).toEqual([
      expect.objectContaining({
        action: 'proposal.decision_refused',
        changed: ['not_allowed'],
        channel: 'temporal',
      }),
    ]);
  });

  it('rejects by Signal', async () => {
    const id = await opened();
    expect((await run(commandOf('workflow signal'), id)).failed).toBe(false);
    const { decisions } = await lane.standing(id, 'rejected');
    expect(decisions).toMatchObject([
      { by: 'rita', decision: 'reject', reason_code: 'not_ours', channel: 'temporal' },
    ]);
  });
});
