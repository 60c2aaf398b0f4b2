import { startApi, type TestApi } from './support/api';
import { makeFleet, writeCard, type Fleet } from './support/fleet';
let api: TestApi; let fleet: Fleet;
beforeAll(async () => { api = await startApi(); fleet = await makeFleet(api); });
afterAll(() => api.close());
it('perf', async () => {
  { const { Client } = require('pg'); const c = new Client({ connectionString: api.testDatabase.url }); await c.connect();
    const sql = require('fs').readFileSync('/tmp/cairn/scratch/0005-visible-cards.proposed.sql','utf8').replace('CREATE FUNCTION','CREATE OR REPLACE FUNCTION');
    if (process.env.PROPOSED) await c.query(sql); await c.query('ALTER TABLE cards SET (autovacuum_enabled=off)'); await c.end(); }
  await api.database.inWorkspace('default', async (tx) => {
    await tx.query(`INSERT INTO agents (workspace_id,id,team_id,registered_by,created_at) SELECT 'default','a'||i,'red','runtime',now() FROM generate_series(1,300) i`);
    await tx.query(`INSERT INTO cards (workspace_id,id,kind,tier,sign,status,summary,agent_id,scope_type,scope_id,confidence,trust,valid_from,recorded_at,edited_at,writer_kind,writer_id,distilled_by)
      SELECT 'default','c'||lpad(i::text,6,'0'),'experience','episodic','worked','active','Card '||i,'a'||(i%300+1),'agent','a'||(i%300+1),0.8,'runtime',now(),now()-i*interval '1 minute',now(),'runtime','h','fallback' FROM generate_series(1,20000) i`);
    await tx.query(`INSERT INTO card_terms SELECT 'default', t, id, 1 FROM cards, unnest(ARRAY['card', right(id,2)]) t ON CONFLICT DO NOTHING`);
    await tx.query(`INSERT INTO edges (workspace_id,id,type,from_card,to_card,confidence,reason,created_at) SELECT 'default','e'||i,'supports','c'||lpad(i::text,6,'0'),'c'||lpad((i+1+(i*7)%500)::text,6,'0'),.8,'r',now() FROM generate_series(1,19000) i`);
  });
  const admin = await api.database.inWorkspace('default', (tx) => tx.query('SELECT count(*) FROM cards'));
  const one = await writeCard(api, { summary: 'x', scope: { type: 'agent', id: 'a7' } });
  const time = async (name: string, path: string, key = api.ownerKey) => {
    const t: number[] = [];
    for (let i = 0; i < 5; i += 1) { const s = performance.now(); const a = await api.call('GET', path, { key }); if (a.status !== 200) throw new Error(a.text); t.push(performance.now() - s); }
    console.log(name, t.map((x) => Math.round(x)).join(' '));
  };
  const akey = await api.keyFor({ kind: 'agent', id: 'a7' });
  for (const analyzed of [false, true]) {
    if (analyzed) await (async () => { const { Client } = require('pg'); const c = new Client({ connectionString: api.testDatabase.url }); await c.connect(); await c.query('ANALYZE'); 
      const show = async (sql: string, v: unknown[]) => { const r = await c.query('EXPLAIN (ANALYZE, COSTS OFF) ' + sql, v); console.log(r.rows.map((x: any) => x['QUERY PLAN']).join('\n').slice(0, 6000)); };
      await c.query("SET ROLE cairn_app; SELECT set_config('cairn.workspace','default',false)");
      await show(`SELECT array_agg(DISTINCT v.via) AS vias FROM visible_cards($1,$2,$3,$4,$5,$6::timestamptz) v WHERE v.card_id = $7`, ['default','a7',null,false,null,new Date(),one.id]);
      await c.end(); })();
    await time('list person', '/v1/cards');
    await time('list person q', '/v1/cards?q=card+07');
    await time('list agent', '/v1/cards', akey);
    await time('get person', `/v1/cards/${one.id}`);
    await time('get agent', `/v1/cards/${one.id}`, akey);
    await time('edges person', `/v1/cards/c000900/edges`);
    await time('visible-to', `/v1/cards/${one.id}/visible-to`);
    await time('graph newest', `/v1/graph`);
    await time('graph center', `/v1/graph?center=c000900&depth=2`);
    await time('notes', `/v1/notes`);
  }
}, 300000);
