import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tellGroup } from '../../../../src/cli/sample/insights/telling';
import { ensureSampleRule } from '../../../../src/cli/sample/policy';
import type { Workspace } from '../workspace';

const FLEET = join(__dirname, '..', '..', '..', '..', 'samples', 'fleet.jsonl');

/** The small fleet of `npm run sample`; its third strike leaves a proposal. @returns that and a card */
export async function plantFleet(
  workspace: Workspace,
): Promise<{ card: string; capture: string; fix: string }> {
  await ensureSampleRule(workspace.client());
  const lines = readFileSync(FLEET, 'utf8').split('\n').filter(Boolean);
  const events = lines.map((line) => JSON.parse(line) as { event_id: string });
  const settled = await workspace.events(events);
  const at = events.findIndex(({ event_id }) => event_id === 'sample-news-08');
  const { items } = await workspace.done('GET', '/v1/proposals?type=config_fix');
  return {
    card: settled[at]?.card_id ?? '',
    capture: events[at]?.event_id ?? '',
    fix: items[0].id,
  };
}

/** The restaurants of `npm run sample:insights`, with what was measured. @returns an insight with an outcome */
export async function plantInsights(workspace: Workspace): Promise<{ insight: string }> {
  const { insights } = await tellGroup(workspace.client(), () => undefined);
  const [first] = insights.values();
  return { insight: first?.id ?? '' };
}
