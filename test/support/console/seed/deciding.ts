import { randomBytes } from 'node:crypto';
import { until } from '../../until';
import type { Workspace } from '../workspace';

const MINUTE_MS = 60_000;

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();

/** A step that failed three times: a proposal to change its configuration. @returns its id */
export async function plantConfigFix(
  workspace: Workspace,
  step = 'export-ledger',
): Promise<{ fix: string }> {
  await workspace.done('PUT', '/v1/teams/finance', { name: 'Finance' });
  await workspace.events(
    [30, 20, 10].map((minutes, n) => ({
      event_id: `${step}-${randomBytes(4).toString('hex')}`,
      kind: 'workflow_step',
      agent: 'bookkeeper',
      team: 'finance',
      service: 'ledger',
      operation: 'export',
      workflow_step: { workflow: 'month-end', step },
      outcome: 'failed',
      occurred_at: ago(minutes),
      input: { month: `2026-0${n + 4}`, format: 'xlsx' },
      error: 'format xlsx is not supported: use csv',
    })),
  );
  const found = await until('the third strike left a proposal', async () => {
    const { items } = await workspace.done('GET', '/v1/proposals?type=config_fix&status=open');
    return items.find(({ title }: { title: string }) => title.includes(step));
  });
  return { fix: found.id };
}

/** Two cards of one key that no rule settles. @returns both, and the proposal */
export async function plantContradiction(
  workspace: Workspace,
  key = 'north-quay',
): Promise<{ contradiction: string; sides: [string, string] }> {
  await workspace.done('PUT', '/v1/teams/harbour', { name: 'Harbour' });
  const name = key.replace('-', ' ');
  const team = await workspace.card({
    summary: `The ${name}: four barges fit side by side.`,
    key,
    scope: { type: 'team', id: 'harbour' },
  });
  const all = await workspace.card({
    summary: `The ${name}: nobody moors there, it is closed for dredging until spring.`,
    key,
  });
  const path = `/v1/proposals?type=contradiction&card=${all.id}`;
  const [proposal] = (await workspace.done('GET', path)).items;
  return { contradiction: proposal.id, sides: [team.id, all.id] };
}

/** What an agent asks to have shown to its team. @returns the card and the proposal */
export async function plantPromotion(
  workspace: Workspace,
): Promise<{ promotion: string; promoted: string }> {
  await workspace.done('PUT', '/v1/teams/harbour', { name: 'Harbour' });
  await workspace.done('PUT', '/v1/agents/pilot', { team: 'harbour', agent_type: 'planner' });
  const [event] = await workspace.events([
    {
      event_id: `ferry-${randomBytes(4).toString('hex')}`,
      kind: 'service_call',
      agent: 'pilot',
      team: 'harbour',
      service: 'ferry',
      operation: 'book',
      outcome: 'worked',
      occurred_at: ago(45),
      input: { pier: 'seven', crates: 12 },
      output: { booking: 'F-2207', leaves: '06:40' },
    },
  ]);
  const card = event?.card_id ?? '';
  const { proposal_id } = await workspace.done(
    'POST',
    `/v1/cards/${card}/promotion`,
    { scope: { type: 'team', id: 'harbour' }, reason: 'Everybody who books from pier seven' },
    { key: await workspace.keyOf('agent', 'pilot') },
  );
  return { promotion: proposal_id, promoted: card };
}

/** What a restricted agent wrote and nobody accepted yet. @returns its id */
export async function plantPendingWrite(workspace: Workspace): Promise<{ pending: string }> {
  await workspace.done('PUT', '/v1/agents/foreman', {});
  await workspace.done('PUT', '/v1/agents/apprentice', {
    parent_agent: 'foreman',
    restricted: true,
  });
  const { pending_write_id } = await workspace.done(
    'POST',
    '/v1/cards',
    { summary: 'Crates of pier seven are counted before the tide, not after it.' },
    { key: await workspace.keyOf('agent', 'apprentice') },
  );
  return { pending: pending_write_id };
}
