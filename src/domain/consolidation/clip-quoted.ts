import { clip } from '../distill/plain-text';

/** At most `limit` characters and one more: a quotation that was cut is closed, or the rest of a line reads as said. */
export function clipQuoted(text: string, limit: number): string {
  const cut = clip(text, limit);
  const isOpen = cut.lastIndexOf('“') > cut.lastIndexOf('”');
  return isOpen ? `${cut}”` : cut;
}
