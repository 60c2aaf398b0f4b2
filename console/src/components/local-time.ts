/** Times in fields of the browser (`datetime-local`), which know no zone: those of the viewer. */

/** @returns `2026-04-01T09:30`, empty for null */
export function toField(at: string | null | undefined): string {
  if (at === null || at === undefined || at === '') return '';
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const two = (n: number) => `${n}`.padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** @returns RFC 3339 in UTC, null for an empty or unfinished field */
export function fromField(text: string): string | null {
  if (text === '') return null;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
