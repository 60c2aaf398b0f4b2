import { cardIds, Filing, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { createSwitchableEmbedder } from './support/switchable-embedder';

const embedder = createSwitchableEmbedder();
let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane(embedder);
});
afterAll(() => lane.close());

describe('with the embedder down', () => {
  let filed: string;
  beforeAll(async () => {
    embedder.down = true;
    const filing = new Filing({ api: lane.api, clock: lane.clock, embedder });
    filed = await filing.card({
      service: 'slack',
      operation: 'get_users_in_channel',
      outcome: 'failed',
      input: { channel: 'External' },
      error: 'ValueError: Channel External not found in the channels list',
    });
    lane.clock.advance(HOUR);
    await filing.card({
      service: 'files',
      operation: 'read_file',
      input: { path: '/notes/alice.txt' },
      output: 'a list of errands',
    });
  });

  it('an event is filed without a vector, and waits for one', async () => {
    const rows = await lane.api.database.inWorkspace('default', (tx) =>
      tx.query<{ needs_embed: boolean; vectors: number }>(
        `SELECT c.needs_embed, count(v.card_id) AS vectors
           FROM captures c
           LEFT JOIN card_embeddings v ON v.workspace_id = c.workspace_id AND v.card_id = c.card_id
          WHERE c.card_id = $1 GROUP BY c.needs_embed`,
        [filed],
      ),
    );
    expect(rows).toEqual([{ needs_embed: true, vectors: 0 }]);
  });

  it('it is recalled by its words, and the answer says which arm it did without', async () => {
    const reply = await lane.recall({ query: 'users of channel External on slack', intent: 'act' });
    expect(reply.status).toBe(200);
    expect(cardIds(reply)[0]).toBe(filed);
    expect(reply.body.degraded).toEqual(['dense']);
  });

  it('it is recalled the same way once queries can be embedded again and it cannot yet', async () => {
    embedder.down = false;
    const reply = await lane.recall({ query: 'users of channel External on slack', intent: 'act' });
    expect(cardIds(reply)[0]).toBe(filed);
    expect(reply.body.degraded).toBeUndefined();
  });
});
