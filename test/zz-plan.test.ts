import { Client } from 'pg';
import { startApi, type TestApi } from './support/api';
let api: TestApi;
beforeAll(async () => { api = await startApi(); });
afterAll(() => api.close());
it('plan', async () => {
  const c = new Client({ connectionString: api.testDatabase.url }); await c.connect();
  await c.query("ALTER SYSTEM SET autovacuum = off").catch(() => {}); await c.query('SELECT pg_reload_conf()');
  await c.query(`INSERT INTO agents (workspace_id,id,registered_by,created_at) SELECT 'default','a'||i,'runtime',now() FROM generate_series(1,300) i`);
  await c.query(`INSERT INTO cards (workspace_id,id,kind,tier,sign,status,summary,agent_id,scope_type,scope_id,confidence,trust,valid_from,recorded_at,edited_at,writer_kind,writer_id,distilled_by)
      SELECT 'default','c'||lpad(i::text,6,'0'),'experience','episodic','worked','active','Card '||i,'a'||(i%300+1),'agent','a'||(i%300+1),0.8,'runtime',now(),now()-i*interval '1 minute',now(),'runtime','h','fallback' FROM generate_series(1,5000) i`);
  await c.query("SET ROLE cairn_app; SELECT set_config('cairn.workspace','default',false)");
  const show = async (sql: string, v: unknown[]) => { const r = await c.query('EXPLAIN (ANALYZE) ' + sql, v); console.log(sql + '\n' + r.rows.map((x: any) => x['QUERY PLAN']).join('\n').slice(0, 9000)); };
  await show('SELECT DISTINCT v.card_id FROM visible_cards($1,$2,$3,$4,$5,$6::timestamptz) v', ['default', null, null, true, null, new Date()]);
  await show(`WITH seen AS MATERIALIZED (SELECT DISTINCT v.card_id FROM visible_cards($1,$2,$3,$4,$5,$6::timestamptz) v) SELECT count(*) FROM seen JOIN cards c ON c.workspace_id = $1 AND c.id = seen.card_id WHERE c.status = 'active'`, ['default', null, null, true, null, new Date()]);
  await c.query('RESET ROLE'); await c.query("ALTER SYSTEM RESET autovacuum").catch(() => {}); await c.query('SELECT pg_reload_conf()');
  await c.end();
}, 200000);
