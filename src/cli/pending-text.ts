import type { PendingWrite } from '../contracts/pending-write';
import type { Page } from '../contracts/run';
import { counted, spanText } from './inbox-text';
import { oneLine, printable, table, wrapped } from './terminal';

/** Of a text on its line. */
const TEXT = 60;

/** What restricted agents posted, a line each. */
export function pendingText(page: Page<PendingWrite>, now: number, isAll: boolean): string {
  if (page.items.length === 0) return isAll ? 'Nothing was posted.' : 'Nothing waits.';
  const rows = page.items.map((one) => [
    one.id,
    one.type,
    one.status,
    printable(one.agent),
    spanText(now - Date.parse(one.created_at)),
    one.write === null ? (one.card_id ?? '–') : oneLine(one.write.summary, TEXT),
  ]);
  const head = ['id', 'type', 'status', 'of agent', 'age', 'text'];
  return `${table([head, ...rows])}\n\n${counted(page)}`;
}

/** Of a card that the policy quarantined; a person may release it. */
const HELD_BACK = 'it reads like an instruction: people alone see it until one releases it';

/** One, whole: what it would write, or what became of it. */
export function pendingWriteText(one: PendingWrite, width: number): string {
  const { write, decided_by: by, parent } = one;
  const fields: [string, string | null][] = [
    ['posted by', one.agent],
    ['would be of', parent ?? one.agent],
    ['under the key', typeof write?.key === 'string' ? write.key : null],
    ['posted', one.created_at],
    ['dropped after', one.status === 'waiting' ? one.expires_at : null],
    ['decided', by === null ? one.decided_at : `${one.decided_at} by ${by.kind} ${by.id}`],
    ['because', one.reason],
    ['card', one.card_id],
    ['held back', one.card?.reason === undefined ? null : HELD_BACK],
  ];
  const rows = fields.flatMap(([name, value]) =>
    value === null ? [] : [[`  ${name}`, oneLine(value, 500)]],
  );
  const decide = `Decide: cairn pending accept ${one.id}, or cairn pending reject ${one.id}`;
  return [
    `${one.id}, ${one.type}, ${one.status}`,
    ...(write === null ? [] : ['', wrapped(printable(write.summary), width, '  ')]),
    '',
    table(rows),
    ...(one.status === 'waiting' ? ['', decide] : []),
  ].join('\n');
}
