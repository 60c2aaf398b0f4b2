import type { Card, CardEdge } from '../contracts/card';
import type { Page } from '../contracts/run';
import { SIGN_MARKS } from './recall-text';
import { oneLine, printable, table, thousands, wrapped } from './terminal';

/** What a card is on one line, what it says below. */
export function cardsText(page: Page<Card>, width: number): string {
  if (page.items.length === 0) return 'No cards.';
  const cards = page.items.map((card) => {
    const status = card.status === 'active' ? '' : `  ${card.status}`;
    const day = card.valid_from.slice(0, 10);
    const head = `${card.id}  ${card.kind} ${card.sign}  ${card.scope.type}:${card.scope.id}  ${day}${status}`;
    return `${SIGN_MARKS[card.sign]} ${printable(head)}\n${wrapped(printable(card.summary), width, '    ')}`;
  });
  const total = `${thousands(page.total)}${page.total_capped ? ' or more' : ''}`;
  const more = page.next_cursor === null ? '' : `; the next page: --cursor ${page.next_cursor}`;
  return [...cards, `\n${page.items.length} of ${total}${more}`].join('\n');
}

/** One card, whole; what it does not have is left out. */
export function cardText(card: Card, edges: readonly CardEdge[], width: number): string {
  const { hints, provenance } = card;
  const step = [hints.workflow, hints.step].filter((part) => part !== null).join('/');
  const fields: [string, string | null | undefined][] = [
    ['what', `${card.kind} (${card.tier}), ${card.sign}, ${card.status}`],
    ['scope', `${card.scope.type} ${card.scope.id}, ${card.visibility}`],
    ['work', [hints.service, hints.operation].filter((part) => part !== null).join('.')],
    ['step', step],
    ['task type', hints.task_type],
    ['key', card.key],
    ['subject', card.subject],
    ['topic', card.topic],
    ['project', card.project],
    ['session', card.session],
    ['keywords', hints.keywords.join(', ')],
    ['error', hints.error_signature && `${hints.error_signature} (${hints.error_family})`],
    ['flags', card.flags.join(', ')],
    ['importance', card.importance === null ? null : `${card.importance} of 10`],
    ['confidence', `${card.confidence}, trust ${card.trust}`],
    [
      'valid',
      card.valid_to === null ? `from ${card.valid_from}` : `${card.valid_from} to ${card.valid_to}`,
    ],
    ['recorded', card.recorded_at],
    ['expires', card.expires_at],
    ['used', card.use_count > 0 ? `${card.use_count} times, last ${card.last_used_at}` : null],
    ['superseded by', card.superseded_by],
    ['event', provenance.event_id],
    [
      'writer',
      `${provenance.writer.kind} ${provenance.writer.id}, by ${provenance.model ?? provenance.distilled_by}`,
    ],
    ['workflow', provenance.workflow_id],
    ['metadata', Object.keys(card.metadata).length > 0 ? JSON.stringify(card.metadata) : null],
  ];
  const rows = fields.flatMap(([name, value]) => (value ? [[`  ${name}`, printable(value)]] : []));
  const relations = edges.map((edge) => {
    const outward = edge.from === card.id;
    const what = outward ? `${edge.type} ${edge.to}` : `${edge.type}, by ${edge.from}`;
    return `  ${what} (${edge.confidence.toFixed(2)}): ${oneLine(edge.reason, 200)}`;
  });
  return [
    `${card.id}, version ${card.version}`,
    '',
    wrapped(printable(card.summary), width, '  '),
    '',
    table(rows),
    ...(relations.length > 0 ? ['', 'Relations', ...relations] : []),
  ].join('\n');
}
