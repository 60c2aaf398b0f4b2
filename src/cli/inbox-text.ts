import type {
  ArchiveChange,
  ConfigFix,
  ConfigFixChange,
  ContradictionChange,
  LinkChange,
  MergeChange,
  PromotionChange,
  Proposal,
  ProposalDetail,
  StepFigures,
} from '../contracts/proposal';
import type { Page } from '../contracts/run';
import { SIGN_MARKS } from './recall-text';
import { oneLine, printable, table, thousands, wrapped } from './terminal';

/** Of a title on its line: the rest of it is on a wide screen. */
const TITLE = 60;
const UNITS: readonly [ms: number, name: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** How long, in its largest unit: `3 d`, `5 h`, `12 min`. */
export function spanText(ms: number): string {
  for (const [unit, name] of UNITS) if (ms >= unit) return `${Math.floor(ms / unit)} ${name}`;
  return 'now';
}

/** What waits, a line each. */
export function inboxText(page: Page<Proposal>, now: number, isAll: boolean): string {
  if (page.items.length === 0) return isAll ? 'No proposals.' : 'Nothing waits.';
  const rows = page.items.map((one) => [
    one.id,
    one.type,
    one.status,
    spanText(now - Date.parse(one.created_at)),
    isWaiting(one) ? spanText(Date.parse(one.expires_at) - now) : '–',
    oneLine(one.title, TITLE),
  ]);
  return `${table([['id', 'type', 'status', 'age', 'expires in', 'title'], ...rows])}\n\n${counted(page)}`;
}

function isWaiting({ status }: Proposal): boolean {
  return status === 'open' || status === 'reopened';
}

/** How many of how many, and how to see more. */
export function counted(page: Page<unknown>): string {
  const total = `${thousands(page.total)}${page.total_capped ? ' or more' : ''}`;
  const more = page.next_cursor === null ? '' : `; the next page: --cursor ${page.next_cursor}`;
  return `${page.items.length} of ${total}${more}`;
}

/** One, whole: what it would change, both sides, and who decided what. */
export function proposalText(proposal: ProposalDetail, now: number, width: number): string {
  const { cards, decisions, proposed_by } = proposal;
  const waits = isWaiting(proposal);
  // The first version goes without saying.
  const named = proposal.id + (proposal.version === 1 ? '' : ` --version ${proposal.version}`);
  const left = waits ? `, in ${spanText(Date.parse(proposal.expires_at) - now)}` : '';
  const fields: [string, string | null][] = [
    ['team', proposal.team],
    ['proposed by', `${proposed_by.kind} ${proposed_by.id}, worded by ${proposal.drafted_by}`],
    ['opened', `${proposal.created_at}, reminded of ${proposal.reminders} times`],
    ['expires', `${proposal.expires_at}${left}`],
    ['closed', proposal.closed_at],
    ['workflow', proposal.workflow_id],
  ];
  const rows = fields.flatMap(([name, value]) =>
    value === null ? [] : [[`  ${name}`, printable(value)]],
  );
  const evidence = cards.map((card) => {
    const by = card.agent === null ? '' : `, of ${card.agent}`;
    const head = `${card.id}  ${card.kind} ${card.sign}, ${card.status}${by}`;
    return `  ${SIGN_MARKS[card.sign]} ${printable(head)}\n${wrapped(printable(card.summary), width, '      ')}`;
  });
  const said = decisions.map((one) => {
    const reason = one.reason === null ? '' : `: ${oneLine(one.reason, 500)}`;
    return `  ${one.at}  ${one.decision}, version ${one.version}, by ${printable(one.by)} (${one.channel})${reason}`;
  });
  return [
    `${proposal.id}, ${proposal.type}, ${proposal.status}, version ${proposal.version}`,
    '',
    wrapped(printable(proposal.title), width, '  '),
    ...(proposal.summary === null ? [] : ['', wrapped(printable(proposal.summary), width, '  ')]),
    '',
    table(rows),
    '',
    'Would change',
    ...changeLines(proposal).map((line) => wrapped(printable(line), width, '  ')),
    ...(evidence.length > 0 ? ['', 'Evidence', ...evidence] : []),
    ...(said.length > 0 ? ['', 'Decisions', ...said] : []),
    ...(waits ? ['', `Decide: cairn approve ${named}, or cairn reject ${named}`] : []),
  ].join('\n');
}

function changeLines({ type, change }: Proposal): string[] {
  if (Object.keys(change).length === 0) return ['(what this key may not see)'];
  switch (type) {
    case 'config_fix': {
      const { team, workflow, step, fix, before, after } = change as Partial<ConfigFixChange>;
      return [
        `${step} of ${workflow}, team ${team}`,
        ...(fix === undefined ? [] : [fix]),
        ...(before === undefined ? [] : [`before the fix: ${figures(before)}`]),
        ...(after === undefined ? [] : [`since the fix: ${figures(after)}`]),
      ];
    }
    case 'promotion': {
      const { card_id, from, to, reason } = change as PromotionChange;
      return [
        `${card_id}: from ${from.type} ${from.id} to ${to.type} ${to.id}`,
        ...(reason ? [`asked for because: ${reason}`] : []),
      ];
    }
    case 'contradiction': {
      const { winner, loser } = change as ContradictionChange;
      return [
        `keeps ${winner} and rejects ${loser}`,
        `the other way round: --winner ${loser}; where both may stand: reject`,
      ];
    }
    case 'fact':
      return ['remembers what it says, with the readers of its evidence'];
    case 'skill':
      return ['keeps the procedure as a skill, with the readers of its evidence'];
    case 'link': {
      const { from, edge_type, to, confidence } = change as LinkChange;
      return [`links ${from} ${edge_type} ${to}, confidence ${confidence}`];
    }
    case 'merge': {
      const { keep, merge } = change as MergeChange;
      return [`keeps ${keep} in the place of ${merge.join(', ')}`];
    }
    case 'archive':
      return [`archives ${(change as ArchiveChange).card_ids.join(', ')}`];
    default:
      return type satisfies never;
  }
}

function figures({ worked, failed }: StepFigures): string {
  return `${worked} worked, ${failed} failed`;
}

/** Fixes that people approved, and how their steps have done since. */
export function fixesText(page: Page<ConfigFix>, width: number): string {
  if (page.items.length === 0) return 'No fixes.';
  return `${page.items.map((fix) => fixText(fix, width)).join('\n')}\n\n${counted(page)}`;
}

export function fixText(fix: ConfigFix, width: number): string {
  const at = fix.applied_at ?? fix.approved_at;
  const version = fix.config_version === null ? '' : `, in ${fix.config_version}`;
  const since = fix.applied_at === null ? '' : `; since then ${figures(fix.observed)}`;
  const head = `${fix.id}  ${fix.status} ${at.slice(0, 10)}${version}  team ${fix.team}${since}`;
  return `${printable(head)}\n${wrapped(printable(fix.fix), width, '    ')}`;
}
