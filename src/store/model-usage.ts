import type { ModelSpending, Overview, SpendingBy } from '../contracts/overview';
import type { Tx } from './database';

/** What was answered to one activity by one model. */
export interface ModelUse {
  activity: string;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
}

/** Adds to what was spent in the quarter of an hour of `now`. */
export async function addModelUse(tx: Tx, use: ModelUse, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO model_usage AS u (workspace_id, at, activity, model, calls, input_tokens, output_tokens)
     VALUES ($1, date_bin('15 minutes', $2::timestamptz, '2000-01-01T00:00:00Z'), $3, $4, $5, $6, $7)
     ON CONFLICT (workspace_id, at, activity, model) DO UPDATE
        SET calls = u.calls + EXCLUDED.calls, input_tokens = u.input_tokens + EXCLUDED.input_tokens,
            output_tokens = u.output_tokens + EXCLUDED.output_tokens`,
    [tx.workspace, now, use.activity, use.model, use.calls, use.inputTokens, use.outputTokens],
  );
}

interface UseRow {
  n: number;
  activity: string;
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
}

/** @param starts when each bucket begins, rising */
export async function costIn(tx: Tx, starts: readonly string[]): Promise<Overview['cost']> {
  const rows = await tx.query<UseRow>(
    `SELECT width_bucket(u.at, $2::timestamptz[]) AS n, u.activity, u.model, sum(u.calls)::bigint AS calls,
            sum(u.input_tokens)::bigint AS input_tokens, sum(u.output_tokens)::bigint AS output_tokens
       FROM model_usage u
      WHERE u.workspace_id = $1 AND u.at >= ($2::timestamptz[])[1]
      GROUP BY 1, 2, 3
      ORDER BY 1, 2, 3`,
    [tx.workspace, starts],
  );
  const series = starts.map((at) => ({ at, ...nothing() }));
  const totals = nothing();
  const by = new Map<string, SpendingBy>();
  for (const row of rows) {
    const { activity, model } = row;
    const name = JSON.stringify([activity, model]);
    const own = by.get(name) ?? { activity, model, ...nothing() };
    by.set(name, own);
    for (const sum of [series[row.n - 1], totals, own]) {
      if (sum === undefined) continue;
      sum.calls += row.calls;
      sum.input_tokens += row.input_tokens;
      sum.output_tokens += row.output_tokens;
    }
  }
  return { series, totals, by: [...by.values()].sort((a, b) => tokens(b) - tokens(a)) };
}

function nothing(): ModelSpending {
  return { calls: 0, input_tokens: 0, output_tokens: 0, amount: null };
}

function tokens({ input_tokens, output_tokens }: ModelSpending): number {
  return input_tokens + output_tokens;
}
