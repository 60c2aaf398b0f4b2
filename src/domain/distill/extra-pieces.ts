import { type Argument, amounts, dates, listCounts, otherArgument, quotedText } from './arguments';

/** Arguments named in a sentence; more would bury what matters. */
const ARGUMENT_LIMIT = 4;

export interface PieceOptions {
  /** Arguments that were left empty are told, since they may be why. */
  failed: boolean;
  /** Free text of the input may be quoted. */
  quotable: boolean;
  /** A person among the arguments is whom it went to. */
  sending: boolean;
}

interface Piece {
  text: string;
  keys: string[];
}

/**
 * The arguments that matter beside the thing itself, as pieces of a sentence: words sought, kinds,
 * people, counts, amounts, dates, then whatever else is short.
 */
export function extraPieces(
  args: readonly Argument[],
  used: ReadonlySet<string>,
  options: PieceOptions,
): string[] {
  const left = args.filter((arg) => !used.has(arg.key));
  const amount = amounts(left);
  const when = dates(left);
  const counts = listCounts(left);
  const held = new Set([
    ...(amount?.keys ?? []),
    ...(when?.keys ?? []),
    ...counts.flatMap((count) => count.keys),
  ]);
  const others: Piece[] = left
    .filter((arg) => !held.has(arg.key))
    .map((arg) => ({ text: otherArgument(arg, options.sending ? 'to' : 'for'), keys: [arg.key] }))
    .filter((piece) => piece.text !== '' && (options.quotable || !piece.text.includes('“')));
  const toward = others.filter((piece) => isToward(piece.text));
  const telling = others.filter((piece) => isTelling(piece.text) && !isToward(piece.text));
  const people = counts.filter((count) => count.text.startsWith('for '));
  const ranked = [
    ...(options.sending ? toward : []),
    ...telling.slice(0, 2),
    ...people,
    ...(amount === null ? [] : [amount]),
    ...(when === null ? [] : [when]),
    ...toward,
    ...counts,
    ...telling.slice(2),
    ...others,
  ];
  const pieces = [...new Set(ranked.map((piece) => piece.text))]
    .filter((text) => text !== '')
    .slice(0, ARGUMENT_LIMIT);
  const words = options.quotable && pieces.length < 3 ? quotedText(left) : '';
  const toPeople = options.sending
    ? pieces.map((piece) => piece.replace(/^for (\d+ )/, 'to $1'))
    : pieces;
  return [...toPeople, ...(words === '' ? [] : [words]), ...(options.failed ? missing(left) : [])];
}

function isTelling(text: string): boolean {
  return (
    /^(?:“|to |for |subject|title|channel )/.test(text) ||
    !/ /.test(text) ||
    /^(?:[a-z]+ ){1,2}[a-z]+$/.test(text)
  );
}

export function isToward(piece: string): boolean {
  return /^(?:to|for) /.test(piece) && !/^for \d+ (?!recipient)/.test(piece);
}

function missing(left: readonly Argument[]): string[] {
  return left
    .filter((arg) => arg.value === null)
    .slice(0, 2)
    .map((arg) => `without ${arg.key.replace(/[_-]+/g, ' ').slice(0, 40)}`);
}
