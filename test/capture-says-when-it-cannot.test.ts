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
