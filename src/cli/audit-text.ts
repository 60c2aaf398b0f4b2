import type { AuditFault, AuditRow, AuditVerification } from '../contracts/audit';
import type { SealResult } from '../contracts/messages';
import type { Page } from '../contracts/run';
import type { Exported } from './audit-export';
import { oneLine, table, thousands } from './terminal';

/** Of a target on its line. */
const TARGET = 60;

/** One change a line. */
export function auditText(page: Page<AuditRow>): string {
  if (page.items.length === 0) return 'No rows.';
  const rows = page.items.map((row) => [
    String(row.seq),
    row.at,
    `${row.actor.kind} ${oneLine(row.actor.id, TARGET)}`,
    oneLine(row.action, TARGET),
    `${row.target.type} ${oneLine(row.target.id, TARGET)}`,
    oneLine(row.changed.join(' '), TARGET),
  ]);
  const total = `${thousands(page.total)}${page.total_capped ? ' or more' : ''}`;
  const more = page.next_cursor === null ? '' : `; the next page: --cursor ${page.next_cursor}`;
  return `${table(rows)}\n\n${page.items.length} of ${total}${more}`;
}

/** Holds or not, how far, and the head to compare with another time. */
export function verificationText(verified: AuditVerification): string {
  const { seals, verified: good, sealed_to, unsealed, head, anchor, first_bad } = verified;
  const covered =
    good === 0
      ? ['Nothing is sealed yet.']
      : [
          `${thousands(good)} of ${thousands(seals)} seal${seals === 1 ? ' holds' : 's hold'}: the audit log to row ${sealed_to.audit}, ` +
            `the access log to row ${sealed_to.access}.`,
          `Head: ${head}`,
        ];
  const open = unsealed === 0 ? [] : [`${counted(unsealed, 'row')} not sealed yet.`];
  const through =
    anchor === undefined || anchor.n === null ? [] : [`The anchor is seal ${anchor.n}.`];
  if (first_bad === undefined) return ['ok', ...covered, ...through, ...open].join('\n');
  return [`BAD: ${faultText(first_bad)}`, ...covered].join('\n');
}

function faultText({ log, seq, reason }: AuditFault): string {
  const row = log === 'chain' ? `seal ${seq}` : `row ${seq} of the ${log} log`;
  switch (reason) {
    case 'changed':
      return `${row} is not as it was sealed.`;
    case 'missing':
      return `${row} is missing.`;
    case 'reordered':
      return `${row} is not in its place: what was sealed under one number stands under another.`;
    case 'inserted':
      return `${row} was put in after its block was sealed.`;
    case 'chain':
      return `${row} is not as it was made, or does not follow on the one before.`;
    case 'anchor':
      return 'no seal has the head of the anchor: the chain was cut short or made anew.';
    default:
      return reason satisfies never;
  }
}

/** What a pass came to. */
export function sealedText({ n, head, seals, audit_rows, access_rows }: SealResult): string {
  if (n === null) return 'Nothing to seal: the logs are empty.';
  const what =
    seals === 0
      ? 'Nothing was unsealed.'
      : `${counted(seals, 'block')} sealed: ${counted(audit_rows, 'row')} of the audit log, ` +
        `${access_rows} of the access log.`;
  return `${what}\nHead: ${head}  (seal ${n}; keep it elsewhere, and verify with --anchor)`;
}

/** What was taken along. */
export function exportedText(file: string, { rows, seals, head }: Exported): string {
  return `${file}: ${counted(rows, 'row')}, ${counted(seals, 'seal')}, head ${head ?? 'none'}`;
}

function counted(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;
}
