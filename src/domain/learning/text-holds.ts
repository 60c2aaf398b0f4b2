/** More of a text than this is not searched. */
const SEARCHED = 20_000;
/** A shorter value is found anywhere. */
const LEAST_VALUE = 3;

/** Whether a text has each of the values as a whole, whatever their case: `12` is not in `1200`. */
export function holdsAll(text: string, values: readonly string[]): boolean {
  const searched = text.slice(0, SEARCHED).toLowerCase();
  return values.every((value) => holds(searched, value.toLowerCase()));
}

function holds(text: string, value: string): boolean {
  if (value.length < LEAST_VALUE) return false;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const around = `${text.charAt(at - 1)} ${text.charAt(at + value.length)}`;
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}
