import { CompactionLane, chatter } from './support/compaction-lane';
import { saveHistory } from './support/histories';

let lane: CompactionLane;
beforeAll(async () => {
  lane = await CompactionLane.start();
  await lane.policy({
    conversations: { ceiling_tokens: 1200, summary_tokens: 400, keep_recent: 6 },
  });
});
afterAll(() => lane.stop());

describe('a conversation past its ceiling', () => {
  test('is told up to its newest messages, in rounds, with its record', async () => {
    const talk = await lane.talk('long');
    await lane.tell(talk, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'We agreed to ship order 4711 to 12 Elm Street on 5 May 2026.' },
      ...chatter(400),
    ]);
    expect((await lane.conversation('long')).compacting).not.toBeNull();
    const [first, ...others] = await lane.working({}, async () => {
      const [[id, handle] = []] = [...(await lane.send())];
      if (handle === undefined) throw new Error('nothing was started');
      expect(id).toBe('compact/default/long/1');
      const result = await handle.result();
      await saveHistory('compact.told', handle);
      return [result];
    });
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      conversation_id: 'long',
      n: 1,
      from: 0,
      through: 396,
      written_by: 'fallback',
      facts: { found: 0, filed: 0, known: 0 },
      calls: 0,
    });
    expect(first?.tokens_after).toBeLessThan((first?.tokens_before ?? 0) / 10);
    const { compacting, summarized_through, summary_version, summary } =
      await lane.conversation('long');
    expect([compacting, summarized_through]).toEqual([null, 396]);
    // 396 messages are four rounds.
    expect(summary_version).toBe(4);
    expect(summary).toContain('We agreed to ship order 4711 to 12 Elm Street on 5 May 2026.');
    const { messages, tokens, summary: shown } = await talk.context();
    expect(shown).toMatchObject({ through: 396, version: 4, written_by: 'fallback' });
    expect(tokens).toBeLessThan(1200);
    expect(messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(messages.filter(({ role }) => role !== 'system')).toHaveLength(6);
  });

  test('keeps what its summary has no room for, to be found by whoever asks', async () => {
    const told = await lane.rows<{ all: number; told: number }>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE in_summary)::int AS told
         FROM conversation_details WHERE conversation_id = 'long'`,
    );
    expect(told[0]?.told).toBeGreaterThan(5);
    expect(told[0]?.told).toBeLessThan((told[0]?.all ?? 0) / 2);
    const talk = await lane.talk('long');
    await talk.say(['user', 'How much does parcel PX-222 weigh?']);
    const { messages } = await talk.context();
    expect(messages.map(({ content }) => content).join('\n')).toContain('PX-222 weighs 242 kg');
  });

  test('takes text that spells a token of a model for text', async () => {
    const talk = await lane.talk('spelled');
    const spelled = 'It printed <|endoftext|> twice. The code of the vault is ZX-41.';
    await lane.tell(talk, [{ role: 'user', content: spelled }, ...chatter(150)]);
    const [result] = await lane.drain();
    expect(result).toMatchObject({ conversation_id: 'spelled', from: 0 });
    expect(result?.through).toBeGreaterThan(100);
    await talk.say(['user', 'What is the code of the vault?']);
    const { messages } = await talk.context();
    expect(messages.map(({ content }) => content).join('\n')).toContain('ZX-41');
  });

  test('leaves what arrives meanwhile as it was said', async () => {
    const talk = await lane.talk('busy');
    await lane.tell(talk, chatter(150));
    let isFirst = true;
    const results = await lane.drain({
      around: (activities) => ({
        ...activities,
        commitSummary: async (round) => {
          if (isFirst) await talk.say(['user', 'One more thing: the code is ZX-99.']);
          isFirst = false;
          return await activities.commitSummary(round);
        },
      }),
    });
    expect(results.map(({ through }) => through)).toEqual([145]);
    const last = (await talk.context()).messages.at(-1);
    expect(last?.content).toBe('One more thing: the code is ZX-99.');
  });

  test('never cuts a call of a tool from its results', async () => {
    const talk = await lane.talk('tools');
    const call = (n: number) => [
      { role: 'user' as const, content: `What is the price of item ${n} in the shop today?` },
      { role: 'assistant' as const, content: `Looking up item ${n}.` },
      ...[1, 2, 3].map((part) => ({
        role: 'tool' as const,
        content: JSON.stringify({ item: n, part, price: n * 10 + part, text: 'x y z '.repeat(60) }),
        tool_call_id: `call-${n}-${part}`,
      })),
    ];
    const messages = Array.from({ length: 30 }, (_, at) => call(at + 1)).flat();
    await lane.tell(talk, messages);
    await lane.drain();
    const { summarized_through: through } = await lane.conversation('tools');
    expect(through).toBeGreaterThan(0);
    const [next] = await lane.rows<{ role: string }>(
      "SELECT role FROM messages WHERE conversation_id = 'tools' AND n = $1",
      [through + 1],
    );
    expect(next?.role).not.toBe('tool');
    // Six stay, and what the cut would have torn apart with them.
    expect(150 - through).toBeGreaterThanOrEqual(6);
  });

  test('is worked on once at a time, and asked for again when it is needed again', async () => {
    const talk = await lane.talk('again');
    await lane.tell(talk, chatter(100));
    await lane.tell(talk, chatter(100, 101));
    const asked = await lane.rows(
      "SELECT id FROM outbox WHERE action = 'start_compaction' AND workflow_id LIKE 'compact/default/again/%'",
    );
    expect(asked).toHaveLength(1);
    await lane.drain();
    await lane.tell(talk, chatter(100, 201));
    const results = await lane.drain();
    expect(results.map(({ n, from, through }) => [n, from, through])).toEqual([[2, 194, 294]]);
  });

  test('is shown as a run and as an operation, with counts and codes alone', async () => {
    const { body } = await lane.api.call('GET', '/v1/runs?type=compaction&limit=100');
    expect(body.items.length).toBeGreaterThan(3);
    for (const run of body.items) {
      expect(run).toMatchObject({ type: 'compaction', status: 'completed' });
      const { body: operation } = await lane.api.call('GET', `/v1/operations/${run.id}`);
      expect(operation).toMatchObject({ type: 'compaction', state: 'completed' });
      expect(JSON.stringify(operation)).not.toMatch(/parcel|Elm/);
    }
  });
});
