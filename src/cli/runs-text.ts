import type { Page, Run, RunChangeLine, RunDetail, RunDraft, RunUndone } from '../contracts/run';
import { counted } from './inbox-text';
import { oneLine, table, wrapped } from './terminal';

const NONE = '–';
/** Of the ids that a change names besides its card. */
const NAMED = 3;

export function runsText(page: Page<Run>): string {
  if (page.items.length === 0) return 'No runs, or none with these filters.';
  return `${table(page.items.map(rowOf))}\n\n${counted(page)}`;
}

function rowOf(run: Run): string[] {
  return [
    run.id,
    run.type,
    scopeOf(run),
    run.day ?? (run.started_at ?? '').slice(0, 10),
    stateOf(run),
    countsOf(run.counts),
  ];
}

function scopeOf({ scope }: Pick<Run, 'scope'>): string {
  return scope === null ? NONE : oneLine(`${scope.type}:${scope.id}`, 40);
}

function stateOf(run: Run): string {
  const more = [
    run.paused ? 'paused' : '',
    run.dry_run ? 'dry run' : '',
    run.undone_at === null ? '' : 'undone',
    run.error ?? '',
  ].filter((word) => word !== '');
  return more.length === 0 ? run.status : `${run.status} (${more.join(', ')})`;
}

function countsOf(counts: Run['counts']): string {
  return Object.entries(counts)
    .filter(([, value]) => typeof value !== 'object' && value !== 0)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

/** One run: what it is, how it stands, what it did or would do. */
export function runText(run: RunDetail, width: number): string {
  const head: [string, string][] = [
    ['run', run.id],
    ['type', `${run.type} of ${scopeOf(run)}${run.day === null ? '' : `, ${run.day}`}`],
    ['status', stateOf(run)],
    [
      'began',
      `${run.started_at ?? NONE}${run.finished_at === null ? '' : `, ended ${run.finished_at}`}`,
    ],
    ['did', countsOf(run.counts) || NONE],
    ['cost', `${run.cost} tokens`],
    ['with', countsOf(run.versions) || NONE],
    [
      'asked by',
      run.asked_by ?? (run.parent_id === null ? 'its Schedule' : `run ${run.parent_id}`),
    ],
    ['workflow', run.workflow_id],
  ];
  const parts = [table(head)];
  const named = namedText(run.result);
  if (named !== '') parts.push(`Did not do all:\n${named}`);
  const places = placesText(run.result);
  if (places !== '') parts.push(`Found:\n${places}`);
  if (run.diff.length > 0) {
    const title = run.dry_run ? 'It would do:' : 'It did:';
    const more = run.diff_capped ? `\n… and more: GET /v1/runs/${run.id}/changes` : '';
    parts.push(`${title}\n${table(run.diff.map(changeRow))}${more}`);
  }
  for (const draft of run.drafts) parts.push(draftText(draft, width));
  return parts.join('\n\n');
}

/** Of a rescan: how often each type was found where. */
function placesText(result: RunDetail['result']): string {
  const places = result?.places;
  if (typeof places !== 'object' || places === null || Array.isArray(places)) return '';
  return table(
    Object.entries(places).map(([place, types]) => [place, countsOf(types as Run['counts'])]),
  );
}

function namedText(result: RunDetail['result']): string {
  const named = result?.named;
  if (!Array.isArray(named) || named.length === 0) return '';
  const units = named as unknown as { scope: Run['scope']; operation_id: string; reason: string }[];
  return table(units.map((unit) => [`  ${scopeOf(unit)}`, unit.reason, unit.operation_id]));
}

function changeRow(line: RunChangeLine): string[] {
  const { version_before: before, version_after: after, related } = line;
  const versions = [before, after].filter((version) => version !== null).join(' → ');
  const names = related.slice(0, NAMED).join(' ');
  const rest = related.length > NAMED ? ` and ${related.length - NAMED} more` : '';
  const undone =
    line.not_undone === null
      ? line.undone_at === null
        ? ''
        : 'undone'
      : `stays: ${line.not_undone}`;
  return [
    `  ${line.change}`,
    line.card_id ?? NONE,
    versions === '' ? '' : `v${versions}`,
    line.reason ?? '',
    undone,
    `${names}${rest}`,
  ];
}

/** Whatever of a draft is text, in the order of its fields. */
function draftText({ part, sources, draft }: RunDraft, width: number): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(...value.split('\n'));
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(draft.words ?? draft.text ?? draft.summary ?? draft);
  const lines = texts
    .filter((text) => text.trim() !== '')
    .map((text) => wrapped(oneLine(text, 2_000), width, '    '));
  return `  ${part}, of ${sources.length} cards:\n${lines.join('\n')}`;
}

export function undoneText({ undone, not_undone }: RunUndone): string {
  const taken = `${undone} ${undone === 1 ? 'change was' : 'changes were'} taken back.`;
  if (not_undone.length === 0) return taken;
  const rows = not_undone.map(({ card_id, related, reason }) => [
    `  ${card_id ?? related[0] ?? NONE}`,
    REASONS[reason],
  ]);
  return `${taken} ${not_undone.length} stay as they are:\n${table(rows)}`;
}

const REASONS: Readonly<Record<RunUndone['not_undone'][number]['reason'], string>> = {
  moved: 'has changed since',
  gone: 'is gone, stopped or erased',
  key_taken: 'another card has its key now',
  decided: 'was decided',
  note_kept: 'is told by a note that has changed since and stays',
};
