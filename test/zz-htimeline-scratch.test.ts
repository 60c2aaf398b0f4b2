import { readGraph } from '../src/store/graph';
import { startApi } from './support/api';
import { makeFleet } from './support/fleet';
jest.setTimeout(500_000);
it('x', async () => {
  const api = await startApi();
  await makeFleet(api);
  await api.database.inWorkspace('default', async (tx) => {
    await tx.query(`INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, agent_id, scope_type, scope_id,
       confidence, trust, valid_from, recorded_at, edited_at, writer_kind, writer_id, distilled_by)
       SELECT $1, 'p_' || lpad(n::text, 6, '0'), 'knowledge', 'semantic', 'neutral', 'active',
       repeat('Planted words here ' || n, 8), CASE WHEN n % 200 = 0 THEN 'planner' ELSE 'coder' END, 'agent', CASE WHEN n % 200 = 0 THEN 'planner' ELSE 'coder' END, 0.8, 'runtime', now() - n * interval '1 minute', now() - n * interval '1 minute', now(), 'runtime', 'r','fallback'
       FROM generate_series(1, 100000) n`, ['default']);
    await tx.query(`INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
      SELECT 'default', 'e' || n || '_' || k, (ARRAY['supports','constrains','conflicts'])[k], 'p_' || lpad(n::text, 6, '0'), 'p_' || lpad((1 + (n + k*17) % 100000)::text, 6, '0'), 0.5 + 0.1 * k, 't', now()
      FROM generate_series(1,100000) n, generate_series(1,3) k`);
  });
  const out: string[] = [];
  const ANY = { kinds: null, agent: null, since: null, until: null };
  for (const analyzed of [false, true]) {
    if (analyzed) await api.testDatabase.query?.('ANALYZE').catch(() => 0);
    for (const [who, reader] of [
      ['owner', ['default', null, null, true, null, new Date()]],
      ['planner', ['default', 'planner', null, false, null, new Date()]],
      ['coder', ['default', 'coder', null, false, null, new Date()]],
    ] as const)
      for (const [what, request] of [
        ['whole 500', { center: null, depth: 1, nodes: ANY, edgeTypes: null, limit: 500 }],
        ['whole 5000', { center: null, depth: 1, nodes: ANY, edgeTypes: null, limit: 5000 }],
        ['center', { center: 'p_000200', depth: 2, nodes: ANY, edgeTypes: null, limit: 500 }],
      ] as const) {
        for (let round = 0; round < 7; round += 1) {
        const t = Date.now();
        const g = await api.database.inWorkspace('default', (tx) => readGraph(tx, reader as never, request));
        if (round % 3 === 0) out.push(`${analyzed} ${who} ${what} #${round}: ${Date.now() - t} ms, ${g?.nodes.length} nodes ${g?.edges.length} edges ${g?.nodes.filter((n) => n.open_conflict).length} open`);
        }
      }
  }
  console.log(out.join('\n'));
  await api.close();
});
