/** Of what is kept, the part that comes from the beginning: what was wanted stands there. */
const HEAD_SHARE = 0.6;

/** The text, or its beginning and its end with the count of what was left out between them. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * HEAD_SHARE);
  const tail = limit - head;
  const start = text.slice(0, head).replace(/[\uD800-\uDBFF]$/, '');
  const end = text.slice(text.length - tail).replace(/^[\uDC00-\uDFFF]/, '');
  return `${start} [… ${text.length - start.length - end.length} characters left out …] ${end}`;
}

/** `shortened` on one line, so that a text cannot pass for the next of a list. */
export function shortLine(text: string, limit: number): string {
  return shortened(text, limit).replace(/\s+/g, ' ').trim();
}

/**
 * Divides a budget so that what is short is kept whole and the rest gets equal shares.
 * @returns a share for each length, none above it, together at most `budget`
 */
export function fairShares(lengths: readonly number[], budget: number): number[] {
  const shares = lengths.map(() => 0);
  const order = lengths.map((_, at) => at).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
  let left = budget;
  order.forEach((at, done) => {
    const share = Math.min(lengths[at] ?? 0, Math.floor(left / (order.length - done)));
    shares[at] = share;
    left -= share;
  });
  return shares;
}
