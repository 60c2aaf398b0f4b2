import { formsOf } from './search-forms';

/** Four bytes together, read as one number: shorter forms would be found in anything. */
const WINDOW = 4;
/** How far into a form the four bytes that it is known by may lie. */
const REACH = 32;
/** A bit for each of these hashes of four bytes; nearly every place of a text is dismissed by it. */
const FILTER_BITS = 20;
/** An odd number near the golden ratio of 2³²: neighbours fall far apart (Knuth's multiplicative hash). */
const SPREAD = 0x9e3779b1;

interface Form {
  bytes: Buffer;
  /** The index of its term. */
  term: number;
  /** Where the four bytes that it is known by begin. */
  offset: number;
}

/** Where a term was found. */
export interface Hit {
  term: number;
  /** In the bytes that were searched. */
  at: number;
  length: number;
}

/**
 * Looks for many terms at once, in all forms of each, in one walk over the bytes. A form is known by four bytes of it
 * that few others have, and compared where those stand. Terms of which no form has four bytes are not looked for.
 */
export class ByteSearch {
  private readonly filter = new Uint8Array(1 << (FILTER_BITS - 3));
  private readonly forms = new Map<number, Form[]>();
  /** The longest form: what has to be looked at again where bytes come in parts. */
  readonly longest: number;

  constructor(readonly terms: readonly string[]) {
    const forms = terms.flatMap((term, index) =>
      formsOf(term, WINDOW).map((bytes) => ({ bytes, term: index })),
    );
    this.longest = forms.reduce((most, { bytes }) => Math.max(most, bytes.length), 0);
    const common = new Map<number, number>();
    for (const { bytes } of forms) {
      for (const { window } of windowsOf(bytes)) common.set(window, (common.get(window) ?? 0) + 1);
    }
    for (const form of forms) {
      const { window, offset } = rarestOf(form.bytes, common);
      const alike = this.forms.get(window) ?? [];
      alike.push({ ...form, offset });
      this.forms.set(window, alike);
      const slot = slotOf(window);
      this.filter[slot >>> 3] = (this.filter[slot >>> 3] as number) | (1 << (slot & 7));
    }
  }

  /** Every place where a form of a term stands. */
  hits(bytes: Buffer): Hit[] {
    const hits: Hit[] = [];
    if (this.forms.size === 0) return hits;
    const { filter } = this;
    const { length } = bytes;
    const { imul } = Math;
    let window = 0;
    for (let at = 0; at < length; at += 1) {
      window = (window << 8) | (bytes[at] as number);
      const slot = imul(window, SPREAD) >>> (32 - FILTER_BITS);
      if (((filter[slot >>> 3] as number) & (1 << (slot & 7))) === 0) continue;
      this.compare(window, bytes, at - WINDOW + 1, hits);
    }
    return hits;
  }

  /** Of a text: as it is, and composed and in lower case. Positions are those of one of the two. */
  hitsInText(text: string): { hit: Hit; bytes: Buffer }[] {
    const lowered = text.normalize('NFC').toLowerCase();
    return (lowered === text ? [text] : [text, lowered]).flatMap((written) => {
      const bytes = Buffer.from(written, 'utf8');
      return this.hits(bytes).map((hit) => ({ hit, bytes }));
    });
  }

  private compare(window: number, bytes: Buffer, from: number, hits: Hit[]): void {
    for (const { bytes: form, term, offset } of this.forms.get(window) ?? []) {
      const at = from - offset;
      if (at < 0 || at + form.length > bytes.length) continue;
      if (form.compare(bytes, at, at + form.length) === 0)
        hits.push({ term, at, length: form.length });
    }
  }
}

const slotOf = (window: number): number => Math.imul(window, SPREAD) >>> (32 - FILTER_BITS);

function windowsOf(bytes: Buffer): { window: number; offset: number }[] {
  const last = Math.min(bytes.length - WINDOW, REACH);
  return Array.from({ length: last + 1 }, (_, offset) => ({
    window: bytes.readInt32BE(offset),
    offset,
  }));
}

/** What few forms have, and no page of zeros. */
function rarestOf(
  bytes: Buffer,
  common: ReadonlyMap<number, number>,
): { window: number; offset: number } {
  let best = { window: bytes.readInt32BE(0), offset: 0 };
  let least = Number.POSITIVE_INFINITY;
  for (const one of windowsOf(bytes)) {
    const count = one.window === 0 ? Number.MAX_VALUE : (common.get(one.window) ?? 0);
    if (count < least) {
      least = count;
      best = one;
    }
  }
  return best;
}
