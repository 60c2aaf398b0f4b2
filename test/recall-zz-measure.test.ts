import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { RECALL as NEW } from '../src/store/recall-statement';
import { RECALL as OLD } from '../src/store/recall-zz-old';
import { lexicalTerms } from '../src/domain/terms';
import { startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

it('measures', async () => {
  const lane = await startRecallLane();
  const embedder = createHashedEmbedder();
  const { id } = await writeCard(lane.api, { summary: 'seed', hints: { service: 'bank', operation: 'send_money' } }, { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } });
  for (const share of [0.02, 0.2, 1]) {
  await lane.api.database.inWorkspace('default', async (tx) => {
    await tx.query(`DELETE FROM card_terms WHERE card_id LIKE 'm%'`);
    await tx.query(`DELETE FROM card_embeddings WHERE card_id LIKE 'm%'`);
    await tx.query(`DELETE FROM cards WHERE id LIKE 'm%'`);
    const texts = Array.from({ length: 5000 }, (_, i) => `Tried to send the monthly payment for the rent of the flat to recipient ${i} with money of the bank.`);
    const vectors = await embedder.embed(texts);
    await tx.query(`INSERT INTO cards SELECT n.* FROM cards c, generate_series(0, 4999) i,
      LATERAL jsonb_populate_record(c, jsonb_build_object('id', 'm_01kjprzb00s2wrv77faz' || i, 'event_id', NULL,
        'summary', ($2::text[])[i+1], 'operation', CASE WHEN i % 100 < $3 * 100 THEN 'send_money' ELSE 'op' || (i % 400) END)) n WHERE c.id = $1`, [id, texts, share]);
    await tx.query(`INSERT INTO card_embeddings SELECT n.* FROM card_embeddings e, unnest($2::int[], $3::text[]) AS v (i, t),
      LATERAL (SELECT (jsonb_populate_record(e, jsonb_build_object('card_id', 'm_01kjprzb00s2wrv77faz' || v.i, 'embedding', v.t))).*) n WHERE e.card_id = $1`,
      [id, texts.map((_, i) => i), vectors.map((v) => `[${Array.from(v).join(',')}]`)]);
    await tx.query(`INSERT INTO card_terms SELECT n.* FROM card_terms e, generate_series(0, 4999) i, unnest($2::text[]) AS t (term),
      LATERAL jsonb_populate_record(e, jsonb_build_object('card_id', 'm_01kjprzb00s2wrv77faz' || i, 'term', t.term)) n WHERE e.card_id = $1 AND e.term = (SELECT min(term) FROM card_terms WHERE card_id = $1)`,
      [id, ['send', 'money', 'bank', 'payment']]);
  });
  await lane.api.testDatabase;
  const [v] = await embedder.embed(['send money with the bank']);
  const now = lane.clock.now();
  const args = ['default', 'scout', null, false, null, now, now, now, [...lexicalTerms('send money with the bank').keys()], `[${Array.from(v!).join(',')}]`, embedder.id, 100, null, '{}', '[]'];
  for (const [name, sql] of [['old', OLD], ['new', NEW], ['old', OLD], ['new', NEW]] as const) {
    const times: number[] = []; let row: any;
    for (let n = 0; n < 9; n += 1) {
      await lane.api.database.inWorkspace('default', async (tx) => {
        const t = performance.now(); row = await tx.one(sql, args as any); times.push(performance.now() - t);
      });
    }
    times.sort((a, b) => a - b);
    process.stderr.write(`${share} ${name} median ${times[4]!.toFixed(1)} ms, best ${times[0]!.toFixed(1)}; candidates ${row.candidates.length}, pairs ${row.near?.length}, near bytes ${JSON.stringify(row.near ?? []).length} of ${JSON.stringify(row).length}\n`);
  }
  }
  await lane.close();
}, 240_000);
