import type { Source } from '../../contracts/source';
import type { CardStop, InjectedAgent } from '../../contracts/stop';
import { oneLine, table, thousands } from '../terminal';
import type { StopTally } from './find';
import type { Lifted } from './lift';

/** What of a long list a screen is shown; `--json` has all of it. */
const SHOWN = 50;

export function cardStopText(stop: CardStop): string {
  const { counts, dry_run } = stop;
  const would = dry_run ? 'would be ' : '';
  const verb = stop.action === 'delete' ? 'deleted' : 'quarantined';
  const left = counts.unchanged === 0 ? '' : `, ${counts.unchanged} left as they are`;
  const rows = stop.cards
    .slice(0, SHOWN)
    .map((card) => [
      `  ${card.id}`,
      card.kind,
      card.changed ? `${card.was} → ${card.status}` : `stays ${card.was}`,
      card.relation === null ? 'the card itself' : `${card.relation} ${card.from}`,
    ]);
  return [
    `${countOf(counts.changed)} ${would}${verb}${left}`,
    table(rows),
    ...more(stop.cards.length),
    recountedText(stop),
    injectedText(stop.injected.agents),
    proposalsText(stop.proposals),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export function tallyText(tally: StopTally): string {
  const would = tally.dry_run ? 'would be ' : '';
  const verb = tally.action === 'delete' ? 'deleted' : 'quarantined';
  const failures = tally.failed.map(({ id, code, detail }) => `  ${id}  ${code}: ${detail}`);
  return [
    `${countOf(tally.found)} found, ${thousands(tally.stopped)} ${would}${verb}, ` +
      `${thousands(tally.derived)} of them for what they came from`,
    ...(failures.length === 0 ? [] : [`${countOf(failures.length)} could not be stopped:`]),
    ...failures.slice(0, SHOWN),
    injectedText(tally.injected),
    proposalsText(tally.proposals),
    ...(tally.dry_run || tally.stopped === 0
      ? []
      : ['One by one they are brought back: --lift card ID']),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

export function liftedText({ lifted, failed }: Lifted): string {
  return [
    `${countOf(lifted.length)} back in use`,
    ...lifted.slice(0, SHOWN).map((id) => `  ${id}`),
    ...more(lifted.length),
    ...failed.map(({ id, code, detail }) => `  ${id} stays as it is  ${code}: ${detail}`),
  ].join('\n');
}

export function sourcesText(sources: readonly Source[]): string {
  return table(
    sources.map(({ id, stopped, changed_at, reason }) => [
      oneLine(id, 60),
      stopped ? 'stopped' : 'lifted',
      changed_at ?? '',
      reason === null ? '' : oneLine(reason, 80),
    ]),
  );
}

function injectedText(agents: readonly InjectedAgent[]): string {
  if (agents.length === 0) return 'No recall had any of them.';
  const rows = agents
    .slice(0, SHOWN)
    .map(({ agent, recalls, last_at }) => [
      `  ${oneLine(agent ?? 'a person', 60)}`,
      `${thousands(recalls)} ${recalls === 1 ? 'recall' : 'recalls'}`,
      `last ${last_at}`,
    ]);
  return ['They were put into the contexts of', table(rows), ...more(agents.length)].join('\n');
}

function recountedText({ recounted, dry_run }: CardStop): string {
  if (recounted === 0) return '';
  const records = `${thousands(recounted)} ${recounted === 1 ? 'record' : 'records'} of competence`;
  return `${records} ${dry_run ? 'would be ' : ''}counted anew without them`;
}

function proposalsText(proposals: readonly string[]): string {
  if (proposals.length === 0) return '';
  return `Proposals that wait and rest on them: ${proposals.slice(0, SHOWN).join(' ')}`;
}

function more(count: number): string[] {
  return count > SHOWN ? [`  and ${thousands(count - SHOWN)} more: --json has all`] : [];
}

export function countOf(cards: number): string {
  return `${thousands(cards)} ${cards === 1 ? 'card' : 'cards'}`;
}
