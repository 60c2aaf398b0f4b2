/** A text as a pattern that finds nothing but it; for use between slashes and outside of brackets. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
