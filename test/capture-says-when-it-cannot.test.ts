import type { CaptureInput } from '../src/contracts/messages';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CaptureLane } from './support/capture-lane';
import { failedCall } from './support/distilling';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';

jest.setTimeout(120_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start();
});
afterAll(() => lane.stop());

test('a filing that fails for its own reasons ends as failed, with its code, after bounded tries', async () => {
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall({ event_id: 'cursed' })]);
  // The database itself refuses this one card, each time, and quotes the value as Postgres does.
  await lane.asOwner(`
    CREATE FUNCTION refuse_cursed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.event_id = 'cursed' THEN RAISE EXCEPTION 'cannot hold %', NEW.summary; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refuse_cursed BEFORE INSERT ON cards FOR EACH ROW EXECUTE FUNCTION refuse_cursed();`);
  const { record, history } = await lane.working(
    { embedder: createHashedEmbedder(), distiller: null },
    async () => {
      const handle = await lane.startCapture(input as CaptureInput);
      const result = await handle.result();
      await saveHistory('capture.failed', handle);
      return { record: result, history: historyText(await handle.fetchHistory()) };
    },
  );
  expect(record).toMatchObject({
    event_id: 'cursed',
    disposition: 'failed',
    reason: 'internal_error',
    card_id: null,
  });
  expect(await lane.rows(workspace, 'SELECT state, error FROM runs')).toEqual([
    { state: 'failed', error: 'internal_error' },
  ]);
  expect(await lane.rows(workspace, 'SELECT count(*)::int AS cards FROM cards')).toEqual([
    { cards: 0 },
  ]);
  expect(history).toContain('internal_error');
  expect(history).not.toContain('cannot hold');
});

test('what failed and is reported once more gets another try, and its card where the cause was mended', async () => {
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall({ event_id: 'cursed' })]);
  const models = { embedder: createHashedEmbedder(), distiller: null };
  await lane.working(models, async () => {
    await (await lane.startCapture(input as CaptureInput)).result();
  });
  const disposition = 'SELECT disposition, reason FROM captures';
  expect(await lane.rows(workspace, disposition)).toEqual([
    { disposition: 'failed', reason: 'internal_error' },
  ]);

  await lane.asOwner('DROP TRIGGER refuse_cursed ON cards; DROP FUNCTION refuse_cursed();');
  const again = await lane.report(workspace, [failedCall({ event_id: 'cursed' })]);
  expect(again).toMatchObject([{ status: 'duplicate', disposition: 'pending' }]);
  expect(
    await lane.rows(workspace, "SELECT action FROM outbox WHERE action = 'restart_capture'"),
  ).toEqual([{ action: 'restart_capture' }]);
  await lane.working(models, async () => {
    await (await lane.startCapture(input as CaptureInput)).result();
  });
  expect(await lane.rows(workspace, disposition)).toEqual([
    { disposition: 'carded', reason: null },
  ]);
});
