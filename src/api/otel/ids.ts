/** What of a span is known by bytes: as hex, as OTLP/JSON has it, or as base64, as plain proto3 JSON would. */
function hexOf(id: string, bytes: number): string | null {
  const hex = id.length === bytes * 2 ? id : Buffer.from(id, 'base64').toString('hex');
  const isId = /^[0-9a-f]+$/i.test(hex) && hex.length === bytes * 2 && !/^0+$/.test(hex);
  return isId ? hex.toLowerCase() : null;
}

export const traceIdOf = (id: string): string | null => hexOf(id, 16);
export const spanIdOf = (id: string): string | null => hexOf(id, 8);

/** The event that a span becomes: the same span sent again is the same event. */
export function eventIdOf(trace: string, span: string): string {
  return `otel:${trace}.${span}`;
}

/** A name as an id of ours: `Math Tutor` → `Math-Tutor`; null where nothing is left of it. */
export function idOfName(name: string): string | null {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._:/@-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 200);
  return id === '' ? null : id;
}

/** A label of ours: one line of printable characters. */
export function labelOf(text: string): string | null {
  const label = text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 200);
  return label === '' ? null : label.replace(/[\uD800-\uDBFF]$/, '');
}
