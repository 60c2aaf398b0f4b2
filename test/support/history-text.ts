/**
 * Every string of a history, and every payload as the text that it holds: what a search for a planted
 * word has to search. `JSON.stringify` shows payloads in base64, in which no word is ever found.
 */
export function historyText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(historyText).join('\n');
}
