/** How much the items of a detail would be missed, by their looks: those with digits and tokens most, names least. */
export function weightOfText(items: readonly string[]): number {
  const weights = items.map(weightOf).sort((a, b) => b - a);
  return weights.reduce((sum, weight, at) => sum + weight / (at + 1), 0.1);
}

function weightOf(item: string): number {
  if (/^\[(?:EMAIL|PHONE|EXT_IP)_/.test(item) || /[@/#_]/.test(item)) return 3;
  if (/\p{N}/u.test(item)) return 2.5;
  return /^["“«„「『']/.test(item) ? 1.5 : 1;
}
