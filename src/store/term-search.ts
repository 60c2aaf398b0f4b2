import { ByteSearch, type Hit } from './byte-search';
import type { ErasureTerms } from './erasure-terms';

/** Ids looked for in one walk; all of them are looked for by their hashes (`erasure-returned.ts`). */
const MOST_IDS = 3_000;
/** The longest character in UTF-8. */
const CHARACTER = 4;
const PART_OF_AN_ID = /[\p{L}\p{N}_-]/u;

/** Looks for the terms of an erasure, ids as whole ones: `client-7` is not in `client-77`. */
export class TermSearch {
  private readonly bytes: ByteSearch;
  private readonly ids: number;

  constructor({ ids, texts }: ErasureTerms) {
    const sought = ids.slice(0, MOST_IDS);
    this.ids = sought.length;
    this.bytes = new ByteSearch([...sought, ...texts]);
  }

  /** The longest form of any term, in bytes. */
  get longest(): number {
    return this.bytes.longest;
  }

  /** The numbers of the terms that stand in it. */
  inBytes(bytes: Buffer): Set<number> {
    return new Set(this.bytes.hits(bytes).flatMap((hit) => this.whole(hit, bytes)));
  }

  /** Where terms stand in it. */
  placesIn(bytes: Buffer): Pick<Hit, 'at' | 'length'>[] {
    return this.bytes.hits(bytes).filter((hit) => this.whole(hit, bytes).length > 0);
  }

  /** The numbers of the terms that stand in it, as it is and in lower case. */
  inText(text: string): Set<number> {
    return new Set(this.bytes.hitsInText(text).flatMap(({ hit, bytes }) => this.whole(hit, bytes)));
  }

  isId(term: number): boolean {
    return term < this.ids;
  }

  termOf(term: number): string {
    return this.bytes.terms[term] as string;
  }

  /** All terms but these. */
  without(terms: ReadonlySet<number>): ErasureTerms {
    const left = this.bytes.terms
      .map((term, at) => ({ term, at }))
      .filter(({ at }) => !terms.has(at));
    return {
      ids: left.filter(({ at }) => this.isId(at)).map(({ term }) => term),
      texts: left.filter(({ at }) => !this.isId(at)).map(({ term }) => term),
    };
  }

  /** Only what is written plainly has letters beside it that would make it another id. */
  private whole({ term, at, length }: Hit, bytes: Buffer): number[] {
    if (!this.isId(term)) return [term];
    const plain = bytes
      .toString('utf8', at, at + length)
      .normalize('NFC')
      .toLowerCase();
    if (plain !== this.termOf(term).normalize('NFC').toLowerCase()) return [term];
    const end = at + length;
    const before = [...bytes.toString('utf8', Math.max(0, at - CHARACTER), at)].at(-1) ?? '';
    const [after = ''] = bytes.toString('utf8', end, end + CHARACTER);
    return PART_OF_AN_ID.test(before) || PART_OF_AN_ID.test(after) ? [] : [term];
  }
}
