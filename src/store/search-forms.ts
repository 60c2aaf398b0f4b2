/** The ways in which a word may be written down: what a search for what is left looks for, as bytes. */

const UTF8 = 'utf8';
/** A base64 group is three bytes: cut anywhere, a text stands in one of three forms. */
const SHIFTS = [0, 1, 2];

/**
 * A term as the bytes of each of its forms: composed and decomposed (NFC, NFD), as given and in lower and upper
 * case; in UTF-8 and UTF-16; escaped as in JSON, once and within JSON again, in an address and a form, as HTML; in
 * base64, whatever stands before it; in hexadecimal. Of one form what is shorter than `least` bytes is left out.
 */
export function formsOf(term: string, least: number): Buffer[] {
  const spellings = new Set(
    ['NFC', 'NFD'].flatMap((form) => {
      const text = term.normalize(form);
      return [text, text.toLowerCase(), text.toUpperCase()];
    }),
  );
  const forms = new Map<string, Buffer>();
  const add = (bytes: Buffer): void => {
    if (bytes.length >= least) forms.set(bytes.toString('latin1'), bytes);
  };
  for (const text of spellings) {
    const utf8 = Buffer.from(text, UTF8);
    const utf16 = Buffer.from(text, 'utf16le');
    add(utf8);
    add(utf16);
    add(Buffer.from(utf16).swap16());
    for (const written of escaped(text)) add(Buffer.from(written, UTF8));
    for (const bytes of [utf8, utf16]) for (const written of inBase64(bytes)) add(written);
    const hex = utf8.toString('hex');
    add(Buffer.from(hex));
    add(Buffer.from(hex.toUpperCase()));
  }
  return [...forms.values()];
}

function escaped(text: string): string[] {
  const json = inner(text);
  const percent = percentEncoded(text, LEFT);
  const ascii = json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${hexOf(unit)}`);
  return [
    json,
    inner(json),
    ascii,
    json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${hexOf(unit).toUpperCase()}`),
    percent,
    percent.toLowerCase(),
    percentEncoded(text, UNRESERVED),
    percent.replaceAll('%20', '+'),
    [...text].map((one) => entity(one, 10)).join(''),
    [...text].map((one) => entity(one, 16)).join(''),
  ];
}

/** Of one unit of UTF-16. */
const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0');

const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

/** As RFC 3986 has it; `encodeURIComponent` leaves a few more characters as they are. */
const UNRESERVED = /[A-Za-z0-9._~-]/;
const LEFT = /[A-Za-z0-9._~!'()*-]/;

function percentEncoded(text: string, left: RegExp): string {
  let written = '';
  for (const byte of Buffer.from(text, UTF8)) {
    const one = String.fromCharCode(byte);
    written += left.test(one) ? one : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return written;
}

function entity(one: string, base: 10 | 16): string {
  const code = one.codePointAt(0) ?? 0;
  if (code < 128) return one;
  return `&#${base === 16 ? 'x' : ''}${code.toString(base)};`;
}

/** What of the encoded text depends on these bytes alone. */
function inBase64(bytes: Buffer): Buffer[] {
  return SHIFTS.flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const whole = Math.floor(((shift + bytes.length) * 8) / 6);
    const text = encoded.slice(Math.ceil((shift * 8) / 6), whole);
    const web = text.replaceAll('+', '-').replaceAll('/', '_');
    return web === text ? [Buffer.from(text)] : [Buffer.from(text), Buffer.from(web)];
  });
}
