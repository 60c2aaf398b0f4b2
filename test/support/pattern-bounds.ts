/**
 * Whether the time a regular expression may take is bounded by its own text. Three ways in which it is
 * not, each with a sentence of its own:
 *
 * - a quantifier without a bound that something follows (at the end of the pattern it is linear);
 * - a loop whose rounds one text can be divided into in two ways, `(?:a{1,9}){1,9}`: exponential;
 * - quantifiers in a row that share characters, `a{0,512}a{0,512}`: the product of their widths.
 */
type Node =
  | { kind: 'atom'; source: string; set: bigint }
  | { kind: 'empty' }
  | { kind: 'look'; item: Node }
  | { kind: 'sequence' | 'choice'; items: Node[] }
  | { kind: 'repeat'; item: Node; min: number; max: number };

export const MOST_REPEATS = 512;
const MOST_WAYS = 4096;
/** Counts up to this are written out; greater ones become a loop without an end. */
const MOST_COPIES = 8;

/** Every ASCII character and a few of other kinds stand for all there are. */
const ALPHABET = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...['é', 'ß', 'Ж', '中', 'א', '\u0301', '５', '\u00a0', '\ufffc', '€', '\u2028'],
];

/** @returns what is wrong with the pattern, empty where its time is bounded */
export function unboundedParts(source: string, flags = ''): string[] {
  const tree = new Parser(source, flags).parse();
  const faults: string[] = [];
  visit(tree, true, faults);
  return faults;
}

class Parser {
  private at = 0;
  constructor(
    private readonly source: string,
    private readonly flags: string,
  ) {}

  parse(): Node {
    const tree = this.choice();
    if (this.at < this.source.length) throw new Error(`unread: ${this.source.slice(this.at)}`);
    return tree;
  }

  private choice(): Node {
    const items = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at += 1;
      items.push(this.sequence());
    }
    return items.length === 1 ? (items[0] as Node) : { kind: 'choice', items };
  }

  private sequence(): Node {
    const items: Node[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? '')) {
      items.push(this.quantified(this.term()));
    }
    return { kind: 'sequence', items };
  }

  private term(): Node {
    const rest = this.source.slice(this.at);
    const look = /^\(\?<?[=!]/.exec(rest)?.[0];
    const group = /^\((?:\?:|\?<\w+>)?/.exec(rest)?.[0];
    if (look !== undefined || group !== undefined) {
      this.at += (look ?? group ?? '').length;
      const inner = this.choice();
      if (this.source[this.at] !== ')') throw new Error(`no end of a group: ${this.source}`);
      this.at += 1;
      return look === undefined ? inner : { kind: 'look', item: inner };
    }
    const zero = /^(?:[$^]|\\[bB])/.exec(rest)?.[0];
    if (zero !== undefined) {
      this.at += zero.length;
      return { kind: 'empty' };
    }
    // What a back reference repeats is not known here, so it may be anything.
    const atom =
      /^(?:\[(?:[^\]\\]|\\[\s\S])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[\s\S])|[\s\S])/.exec(
        rest,
      )?.[0] ?? '';
    this.at += atom.length;
    return { kind: 'atom', source: atom, set: this.setOf(/^\\[1-9]/.test(atom) ? '[^]' : atom) };
  }

  private setOf(atom: string): bigint {
    const one = new RegExp(`^${atom}$`, this.flags.replace(/[gymd]/g, ''));
    return ALPHABET.reduce(
      (set, char, bit) => (one.test(char) ? set | (1n << BigInt(bit)) : set),
      0n,
    );
  }

  private quantified(item: Node): Node {
    const match = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(this.source.slice(this.at));
    if (match === null) return item;
    this.at += match[0].length;
    const [, sign, low, comma, high] = match;
    const infinite = Number.POSITIVE_INFINITY;
    if (sign !== undefined) {
      return { kind: 'repeat', item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : infinite };
    }
    const min = Number(low);
    return { kind: 'repeat', item, min, max: comma ? (high ? Number(high) : infinite) : min };
  }
}

/** `last`: nothing follows the node, in its branch and in all around it. */
function visit(node: Node, last: boolean, faults: string[]): void {
  switch (node.kind) {
    case 'sequence':
      for (const [index, item] of node.items.entries()) {
        visit(item, last && index === node.items.length - 1, faults);
      }
      checkRow(node.items, faults);
      return;
    case 'choice':
      for (const item of node.items) visit(item, last, faults);
      return;
    case 'repeat':
      if (node.max === Number.POSITIVE_INFINITY && !last) {
        faults.push(`no bound and not last: ${write(node)}`);
      } else if (node.max !== Number.POSITIVE_INFINITY && node.max > MOST_REPEATS) {
        faults.push(`a bound above ${MOST_REPEATS}: ${write(node)}`);
      }
      visit(node.item, last && node.max === 1, faults);
      if (node.max > 1 && isAmbiguous(node.item)) faults.push(`ambiguous loop: ${write(node)}`);
      return;
    case 'look':
      visit(node.item, false, faults);
      return;
    case 'atom':
    case 'empty':
      return;
    default:
      node satisfies never;
  }
}

/** The product of the widths of neighbours of which one can begin with what the other can go on with. */
function checkRow(items: readonly Node[], faults: string[]): void {
  let ways = 1;
  let open = 0n;
  for (const item of items) {
    const touches = (firstOf(item) & open) !== 0n;
    const width = widthOf(item);
    if (touches) ways *= width;
    else if (!isNullable(item)) ways = width;
    else ways = Math.max(ways, width);
    if (ways > MOST_WAYS) {
      faults.push(`${ways} ways to divide: ${items.map(write).join('')}`);
      return;
    }
    // What must be there and takes one character of its own ends the row.
    open = isNullable(item) ? open | setOf(item) : width > 1 || touches ? setOf(item) : 0n;
  }
}

function firstOf(node: Node): bigint {
  switch (node.kind) {
    case 'atom':
      return node.set;
    case 'repeat':
      return firstOf(node.item);
    case 'choice':
      return node.items.reduce((set, item) => set | firstOf(item), 0n);
    case 'sequence': {
      const end = node.items.findIndex((item) => !isNullable(item));
      const reached = end === -1 ? node.items : node.items.slice(0, end + 1);
      return reached.reduce((set, item) => set | firstOf(item), 0n);
    }
    case 'empty':
    case 'look':
      return 0n;
    default:
      return node satisfies never;
  }
}

function widthOf(node: Node): number {
  if (node.kind !== 'repeat' || node.max === Number.POSITIVE_INFINITY) return 1;
  return node.max - node.min + 1;
}

function setOf(node: Node): bigint {
  switch (node.kind) {
    case 'atom':
      return node.set;
    case 'repeat':
      return setOf(node.item);
    case 'sequence':
    case 'choice':
      return node.items.reduce((set, item) => set | setOf(item), 0n);
    case 'empty':
    case 'look':
      return 0n;
    default:
      return node satisfies never;
  }
}

function isNullable(node: Node): boolean {
  switch (node.kind) {
    case 'atom':
      return false;
    case 'empty':
    case 'look':
      return true;
    case 'sequence':
      return node.items.every(isNullable);
    case 'choice':
      return node.items.some(isNullable);
    case 'repeat':
      return node.min === 0 || isNullable(node.item);
    default:
      return node satisfies never;
  }
}

/** How many characters it takes, or null where that varies. */
function lengthOf(node: Node): number | null {
  switch (node.kind) {
    case 'atom':
      return 1;
    case 'empty':
    case 'look':
      return 0;
    case 'sequence':
      return node.items
        .map(lengthOf)
        .reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0);
    case 'choice': {
      const lengths = new Set(node.items.map(lengthOf));
      return lengths.size === 1 ? ([...lengths][0] ?? null) : null;
    }
    case 'repeat': {
      const one = lengthOf(node.item);
      return node.min === node.max && one !== null ? one * node.min : null;
    }
    default:
      return node satisfies never;
  }
}

interface Automaton {
  sets: bigint[];
  /** How many ways lead from one position to another, as `from * 4096 + to`. */
  follow: Map<number, number>;
}

interface Ends {
  first: number[];
  last: number[];
  nullable: boolean;
}

const EDGE = 4096;

function build(node: Node, into: Automaton): Ends {
  const join = (from: readonly number[], to: readonly number[]) => {
    for (const a of from) {
      for (const b of to) into.follow.set(a * EDGE + b, (into.follow.get(a * EDGE + b) ?? 0) + 1);
    }
  };
  const inRow = (items: readonly Node[]): Ends =>
    items.reduce<Ends>(
      (row, item) => {
        const next = build(item, into);
        join(row.last, next.first);
        return {
          first: row.nullable ? [...row.first, ...next.first] : row.first,
          last: next.nullable ? [...row.last, ...next.last] : next.last,
          nullable: row.nullable && next.nullable,
        };
      },
      { first: [], last: [], nullable: true },
    );
  switch (node.kind) {
    case 'atom': {
      const position = into.sets.push(node.set) - 1;
      return { first: [position], last: [position], nullable: false };
    }
    case 'empty':
    case 'look':
      return { first: [], last: [], nullable: true };
    case 'sequence':
      return inRow(node.items);
    case 'choice': {
      const all = node.items.map((item) => build(item, into));
      return {
        first: all.flatMap(({ first }) => first),
        last: all.flatMap(({ last }) => last),
        nullable: all.some(({ nullable }) => nullable),
      };
    }
    case 'repeat': {
      if (node.max > 1 && node.max <= MOST_COPIES) return build(writtenOut(node), into);
      const ends = build(node.item, into);
      if (node.max > 1) join(ends.last, ends.first);
      return { ...ends, nullable: ends.nullable || node.min === 0 };
    }
    default:
      return node satisfies never;
  }
}

/** `a{1,3}` as `a(?:a(?:a)?)?`, in which each number of rounds has one way. */
function writtenOut({ item, min, max }: Node & { kind: 'repeat' }): Node {
  let rest: Node = { kind: 'empty' };
  for (let round = max; round > min; round -= 1) {
    const inner: Node = { kind: 'sequence', items: [item, rest] };
    rest = { kind: 'repeat', item: inner, min: 0, max: 1 };
  }
  return { kind: 'sequence', items: [...Array.from({ length: min }, () => item), rest] };
}

/**
 * Whether some text leads round the loop from a position back to itself on two different ways. Rounds
 * of one length can only be divided in one way.
 */
function isAmbiguous(body: Node): boolean {
  if (lengthOf(body) !== null) return false;
  const automaton: Automaton = { sets: [], follow: new Map() };
  build({ kind: 'repeat', item: body, min: 0, max: Number.POSITIVE_INFINITY }, automaton);
  const size = automaton.sets.length;
  const next = Array.from({ length: size }, () => [] as number[]);
  for (const [edge, ways] of automaton.follow) {
    if (ways > 1) return true;
    next[Math.floor(edge / EDGE)]?.push(edge % EDGE);
  }
  const pairsAfter = (pair: number): number[] => {
    const [a, b] = [Math.floor(pair / size), pair % size];
    return (next[a] ?? []).flatMap((c) =>
      (next[b] ?? [])
        .filter((d) => ((automaton.sets[c] ?? 0n) & (automaton.sets[d] ?? 0n)) !== 0n)
        .map((d) => c * size + d),
    );
  };
  const isSame = (pair: number) => Math.floor(pair / size) === pair % size;
  const reach = (from: readonly number[]): Set<number> => {
    const seen = new Set<number>();
    const open = [...from];
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      for (const after of pairsAfter(pair)) {
        if (!seen.has(after)) {
          seen.add(after);
          open.push(after);
        }
      }
    }
    return seen;
  };
  const apart = new Set<number>();
  for (let position = 0; position < size; position += 1) {
    for (const pair of reach([position * size + position])) if (!isSame(pair)) apart.add(pair);
  }
  // All positions of a loop reach each other, so coming together anywhere is coming back.
  return [...apart].some((pair) => [...reach([pair])].some(isSame));
}

function write(node: Node): string {
  switch (node.kind) {
    case 'atom':
      return node.source;
    case 'empty':
      return '';
    case 'look':
      return '(?=…)';
    case 'sequence':
      return node.items.map(write).join('');
    case 'choice':
      return `(?:${node.items.map(write).join('|')})`;
    case 'repeat': {
      const item = node.item.kind === 'sequence' ? `(?:${write(node.item)})` : write(node.item);
      return `${item}{${node.min},${node.max === Number.POSITIVE_INFINITY ? '' : node.max}}`;
    }
    default:
      return node satisfies never;
  }
}
