import type { Workspace } from '../workspace';

/** What would run, were it ever markup. Each sets `hacked` on the window, or leads to a script. */
export const HOSTILE_TEXTS = [
  '<script>window.hacked = 1</script> stands in this text',
  '<img src=x onerror="window.hacked = 2"> stands in this text',
  '[a link](javascript:window.hacked=3) and javascript:window.hacked=3',
  '"><svg onload=window.hacked=4> stands in this text',
  '{{constructor.constructor("window.hacked=5")()}} stands in this text',
  'It reads \u202e backwards from here \u202c and \u2066 isolated \u2069',
] as const;

/** Cards of the workspace that say so, and two of one key that wait for a decision. */
export async function plantHostile(
  workspace: Workspace,
): Promise<{ cards: string[]; contradiction: string }> {
  const cards: string[] = [];
  for (const summary of HOSTILE_TEXTS) cards.push((await workspace.card({ summary })).id);
  await workspace.done('PUT', '/v1/teams/harbour', { name: '<b>Harbour</b>' });
  const key = 'opening-hours';
  const [team, all] = ['<script>window.hacked = 6</script> at noon', '<u>never</u> on Sundays'];
  await workspace.card({
    summary: `It opens ${team}.`,
    key,
    scope: { type: 'team', id: 'harbour' },
  });
  const last = await workspace.card({ summary: `It opens ${all}, closed for the winter.`, key });
  const path = `/v1/proposals?type=contradiction&card=${last.id}`;
  const [proposal] = (await workspace.done('GET', path)).items;
  return { cards, contradiction: proposal.id };
}
