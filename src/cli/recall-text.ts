import type { Sign } from '../contracts/names';
import type { Dropped, RecallAnswer, RecalledCard, ScoreTerms } from '../contracts/recall';
import { oneLine, printable, table, wrapped } from './terminal';

/** A recall as a person reads it: by section, each card with its id and how it came to be there. */
export function recallText(answer: RecallAnswer, width: number): string {
  const counted = `${answer.cards.length} card${answer.cards.length === 1 ? '' : 's'}`;
  const late = answer.degraded?.length ? `, without ${answer.degraded.join(', ')}` : '';
  const head = `${answer.intent}: ${counted}, ${answer.tokens} tokens, ${answer.took_ms} ms${late}`;
  const byId = new Map(answer.cards.map((card) => [card.id, card]));
  const sections = answer.sections.map(({ title, cards }) => {
    const texts = cards.flatMap((id) => {
      const card = byId.get(id);
      return card === undefined ? [] : [cardText(card, width)];
    });
    return [title, ...texts].join('\n');
  });
  if (sections.length === 0) sections.push('Nothing fits.');
  if (answer.dropped !== undefined) sections.push(explanation(answer.cards, answer.dropped));
  return [head, ...sections].join('\n\n');
}

function cardText(card: RecalledCard, width: number): string {
  const summary = wrapped(printable(card.summary), width, '    ').trimStart();
  return `  ${SIGN_MARKS[card.sign]} ${summary}\n${wrapped(facts(card), width, '    ')}`;
}

/** A warning, a success, or neither, at a glance. */
export const SIGN_MARKS: Readonly<Record<Sign, string>> = {
  worked: '+',
  failed: '!',
  neutral: '-',
};

/** Id, what it is, and why it is shown to this reader. */
function facts(card: RecalledCard): string {
  const parts = [
    card.id,
    `${card.kind} ${card.sign}${card.status === 'pending' ? ' (unconfirmed)' : ''}`,
    `via ${card.via}`,
    card.valid_from.slice(0, 10),
    `score ${card.score.toFixed(2)}`,
  ];
  if (card.folded) {
    parts.push(`stands for ${card.folded.count}, the last of ${card.folded.last_at.slice(0, 10)}`);
  }
  if (card.resolved_by?.length) parts.push(`resolved by ${card.resolved_by.join(', ')}`);
  if (card.outdated) {
    parts.push(`outdated since ${card.outdated.since.slice(0, 10)} by ${card.outdated.by}`);
  }
  if (card.flags.length > 0) parts.push(`flagged ${card.flags.join(', ')}`);
  return `[${parts.join(' · ')}]`;
}

/** With `--explain`. */
export function explanation(cards: readonly RecalledCard[], dropped: readonly Dropped[]): string {
  const parts = [`Terms\n${termsTable(cards)}`];
  const rows = dropped.map(({ id, reason, winner }) => [
    `  ${id}`,
    reason,
    winner === undefined ? '' : `in favour of ${winner}`,
  ]);
  parts.push(rows.length === 0 ? 'Left out: nothing' : `Left out\n${table(rows)}`);
  return parts.join('\n\n');
}

/** A row a term and a column a card: there are more terms than cards, and ids are long. */
function termsTable(cards: readonly RecalledCard[]): string {
  const names = [...new Set(cards.flatMap(({ terms }) => Object.keys(terms ?? {})))];
  const legend = cards.map((card, at) => `  [${at + 1}] ${card.id}  ${oneLine(card.summary, 60)}`);
  const rows = [
    ['  term', ...cards.map((_card, at) => `[${at + 1}]`.padStart(6))],
    ...names.map((name) => [`  ${name}`, ...cards.map(({ terms }) => figure(terms, name))]),
  ];
  return [...legend, table(rows)].join('\n');
}

function figure(terms: ScoreTerms | undefined, name: string): string {
  const value = terms?.[name];
  return (value === undefined ? '' : value.toFixed(3)).padStart(6);
}
