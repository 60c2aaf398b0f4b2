/**
 * Numbers as money is written. Every quantifier is bounded by more than a finding has characters: one more digit makes a
 * number larger and never none. What begins it is looked at once, so that a text takes time with its length alone.
 */
export function numberPattern(): string {
  const separator = "[.,'’\\u00a0\\u202f\\u2009 ]";
  const grouped =
    `[1-9]\\d{0,2}(?<group>${separator})\\d{3}(?!\\d)(?:\\k<group>\\d{3}(?!\\d)){0,700}` +
    '(?:(?!\\k<group>)[.,]\\d{1,2})?';
  // 2,00,000 of India.
  const indian = '[1-9]\\d?(?:,\\d{2}){1,900},\\d{3}(?:\\.\\d{1,2})?';
  const plain = '\\d{1,2000}(?:[.,]\\d{1,4})?|[.,]\\d{1,2}';
  return `(?:(?:${indian}|${grouped}|${plain})(?!\\d|[.,'’]\\d))`;
}

/**
 * The value of what that pattern finds: of two separators the last one is the decimal one; a single one before
 * exactly three digits groups them (`1.200` is 1,200), unless the number is scaled (`1.234 million`) or begins with 0.
 */
export function readNumber(text: string, isScaled: boolean): number {
  const compact = text.replace(/[\s'’]/g, '');
  const marks = compact.match(/[.,]/g) ?? [];
  const last = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','));
  if (last < 0) return Number(compact);
  const decimals = compact.slice(last + 1);
  const isGrouping =
    marks.length > 1
      ? new Set(marks).size === 1
      : decimals.length === 3 && !compact.startsWith('0') && !(isScaled && marks[0] === '.');
  const whole = (isGrouping ? compact : compact.slice(0, last)).replace(/[.,]/g, '');
  return Number(isGrouping ? whole : `${whole === '' ? '0' : whole}.${decimals}`);
}
