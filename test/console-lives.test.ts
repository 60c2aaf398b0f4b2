import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/embedded/free-port';
import { describeConsole, nothing } from './support/console/console';
import type { Stack } from './support/console/stack';
import type { Visit } from './support/console/visit';
import { Program } from './support/program';

jest.setTimeout(300_000);

/** One that may be killed: the others' tests go on meanwhile. */
const dataDir = mkdtempSync(join(tmpdir(), 'cairn-console-'));
let port: string;
let program: Program | null = null;

async function start(): Promise<Stack> {
  port ??= String(await freePort());
  program = await Program.start(dataDir, { CAIRN_PORT: port });
  return { url: program.runtime.url, ownerKey: program.ownerKey };
}

afterAll(async () => {
  await program?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Waits until the page says so of its connection. */
const says = ({ page }: Visit, label: string) =>
  page.getByRole('status').filter({ hasText: label }).waitFor({ timeout: 60_000 });
const sees = ({ page }: Visit, text: string) => page.getByText(text).first().waitFor();

describeConsole(
  'an open page',
  nothing,
  (the) => {
    test('shows what somebody else changes, without a reload', async () => {
      const { workspace } = the();
      const ferry = await workspace.card({ summary: 'The ferry to the island leaves at seven.' });
      const visit = await the().open('/cards');
      await says(visit, 'Live');
      await sees(visit, 'leaves at seven');
      await visit.page.evaluate('window.isTheSame = true');

      await workspace.card({ summary: 'The harbour office closes at noon on Fridays.' });
      await sees(visit, 'closes at noon on Fridays');
      await workspace.done(
        'PATCH',
        `/v1/cards/${ferry.id}`,
        { summary: 'The ferry to the island leaves at nine.' },
        { headers: { 'if-match': '"1"' } },
      );
      await sees(visit, 'leaves at nine');
      await visit.page.getByText('leaves at seven').first().waitFor({ state: 'detached' });

      // A capture that is settled writes no audit row of its own.
      await workspace.events([
        {
          event_id: 'ferry-1',
          kind: 'service_call',
          agent: 'pilot',
          service: 'ferry',
          operation: 'book',
          outcome: 'failed',
          occurred_at: new Date().toISOString(),
          input: { pier: 'eleven' },
          error: 'pier eleven is under water',
        },
      ]);
      await sees(visit, 'pier eleven is under water');
      expect(await visit.page.evaluate('window.isTheSame')).toBe(true);
      expect(visit.problems()).toEqual([]);
    });

    test('says that its server is away, and is right again once it is back', async () => {
      const { workspace } = the();
      await workspace.card({ summary: 'The crane of pier two lifts four tonnes.' });
      const visit = await the().open('/cards?q=crane');
      await says(visit, 'Live');
      await sees(visit, 'lifts four tonnes');
      expect(visit.problems()).toEqual([]);

      await program?.stop('SIGKILL');
      await says(visit, 'Connection lost');
      expect(await visit.page.getByText('lifts four tonnes').first().isVisible()).toBe(true);

      await start();
      await workspace.card({ summary: 'The crane of pier nine lifts forty tonnes.' });
      await says(visit, 'Live');
      await sees(visit, 'lifts forty tonnes');
      expect(new URL(visit.page.url()).search).toBe('?q=crane');
      // What was asked meanwhile had no answer; nothing else went wrong.
      visit.allow(/net::ERR_/, /^answer: GET \/v1\/\S+ 503$/);
      expect(visit.problems()).toEqual([]);
    });
  },
  start,
);
