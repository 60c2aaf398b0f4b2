import { Client } from 'pg';
import { startApi, type TestApi } from './support/api';
import { makeFleet } from './support/fleet';
import { createHashedEmbedder, hashedVector } from '../src/models/hashed-embedder';
let api: TestApi;
beforeAll(async () => { api = await startApi({ embedder: createHashedEmbedder() }); });
afterAll(() => api.close());
it('perf', async () => {
  await makeFleet(api);
  const N = 20000;
  await api.database.inWorkspace('default', async (tx) => {
    await tx.query(`INSERT INTO agents (workspace_id,id,team_id,registered_by,created_at) SELECT 'default','a'||i,'red','runtime',now() FROM generate_series(1,300) i`);
    await tx.query(`INSERT INTO cards (workspace_id,id,kind,tier,sign,status,summary,agent_id,scope_type,scope_id,confidence,trust,valid_from,recorded_at,edited_at,writer_kind,writer_id,distilled_by,visibility,service,operation,index_length)
      SELECT 'default','c'||lpad(i::text,6,'0'),'experience','episodic','worked','active','Card '||i||' about thing '||(i%97)||' and place '||(i%31),'a'||(i%300+1),'agent','a'||(i%300+1),0.8,'runtime',now()-i*interval '1 minute',now()-i*interval '1 minute',now()-i*interval '1 minute','runtime','h','fallback',CASE WHEN i%10=0 THEN 'organization' ELSE 'private' END,'svc'||(i%20),'op'||(i%50),8 FROM generate_series(1,${N}) i`);
    await tx.query(`INSERT INTO card_terms SELECT 'default', t, id, 1 FROM cards, unnest(ARRAY['card','thing', 'place', service, operation, right(id,2)]) t ON CONFLICT DO NOTHING`);
    await tx.query(`INSERT INTO edges (workspace_id,id,type,from_card,to_card,confidence,reason,created_at) SELECT 'default','e'||i||'-'||k,'supports','c'||lpad(i::text,6,'0'),'c'||lpad((i+1+(i*k)%500)::text,6,'0'),.8,'r',now() FROM generate_series(1,19000) i, generate_series(1,5) k ON CONFLICT DO NOTHING`);
    for (let at = 0; at < N; at += 1000) {
      const rows = Array.from({ length: 1000 }, (_, k) => ({ id: 'c' + String(at + k + 1).padStart(6, '0'), v: `[${Array.from(hashedVector(`Card ${at + k + 1} about thing ${(at + k + 1) % 97} and place ${(at + k + 1) % 31}`)).join(',')}]` }));
      await tx.query(`INSERT INTO card_embeddings (workspace_id,card_id,field,model,dims,embedding,card_version,created_at) SELECT 'default', r.id, 'summary', 'hashed-ngrams-1', 1024, r.v::vector, 1, now() FROM jsonb_to_recordset($1::jsonb) r (id text, v text)`, [JSON.stringify(rows)]);
    }
  });
  const c = new Client({ connectionString: api.testDatabase.url }); await c.connect(); await c.query('ANALYZE'); await c.end();
  const { RECALL } = require('../src/store/recall-statement');
  const { readFileSync, writeFileSync } = require('node:fs');
  const OLD = readFileSync('/tmp/cairn/scratch-old.sql', 'utf8');
  const d = new Client({ connectionString: api.testDatabase.url }); await d.connect();
  await d.query("SET ROLE cairn_app"); await d.query("SELECT set_config('cairn.workspace','default',false)");
  const q = 'thing 42 in place 7 with op7';
  const vec = `[${Array.from(hashedVector(q)).join(',')}]`;
  const now = new Date();
  const { lexicalTerms } = require('../src/domain/terms');
  for (const [who, agent, every] of [['person', null, true], ['agent', 'a7', false]] as const) {
    const common = ['default', agent, null, every, null, now, now, now, [...lexicalTerms(q).keys()], vec, 'hashed-ngrams-1', 100, null, '{}'];
    for (const [name, sql, args] of [['old', OLD, common], ['new', RECALL, [...common, '[]']]] as const) {
      const times: number[] = []; 
      for (let i = 0; i < 5; i += 1) { const s = performance.now(); await d.query(sql, args as unknown[]); times.push(Math.round(performance.now() - s)); }
      console.log(who, name, times.join(' '));
      const r = await d.query('EXPLAIN (ANALYZE, COSTS OFF) ' + sql, args as unknown[]);
      writeFileSync(`/tmp/cairn/plan-${who}-${name}.txt`, r.rows.map((x: any) => x['QUERY PLAN']).join('\n'));
    }
  }
  await d.end();
}, 300000);
