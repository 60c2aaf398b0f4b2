/** Names and words of five languages, with what is easily written in more than one way. */
export const PLANTED_WORDS = [
  'Jürgen Müßigmann-Öçalan',
  '田中さくらこの証言',
  'محمود بن الزهراني',
  'Ξενοφών Παπαδόπουλος',
  '🦜👩‍👩‍👧 Zoë d’Ætherïng',
];

export interface WrittenForm {
  name: string;
  bytes: Buffer;
}

/** A text as programs write it down: the ways in which it may lie in a file. */
export function writtenForms(text: string): WrittenForm[] {
  const utf8 = Buffer.from(text);
  const percent = encodeURIComponent(text);
  const codes = [...text].map((one) => one.codePointAt(0) ?? 0);
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = [...Array(text.length).keys()]
    .map((at) => text.charCodeAt(at))
    .map((unit) =>
      unit < 128 ? JSON.stringify(String.fromCharCode(unit)).slice(1, -1) : code(unit),
    )
    .join('');
  const utf16 = Buffer.from(text, 'utf16le');
  const as = (name: string, written: string): WrittenForm => ({
    name,
    bytes: Buffer.from(written),
  });
  return [
    { name: 'UTF-8', bytes: utf8 },
    as('NFD', text.normalize('NFD')),
    { name: 'UTF-16 LE', bytes: utf16 },
    { name: 'UTF-16 BE', bytes: Buffer.from(utf16).swap16() },
    as('JSON', json),
    as('JSON in JSON', JSON.stringify(json).slice(1, -1)),
    as('JSON in ASCII', ascii),
    as('an address', percent),
    as('a form', percent.replaceAll('%20', '+')),
    as('HTML', codes.map((one) => (one < 128 ? String.fromCodePoint(one) : `&#${one};`)).join('')),
    as('base64', utf8.toString('base64')),
    as('base64 after one byte', Buffer.concat([Buffer.from('x'), utf8]).toString('base64')),
    as('base64 after two bytes', Buffer.concat([Buffer.from('xy'), utf8]).toString('base64url')),
    as('hexadecimal', utf8.toString('hex')),
  ];
}

const code = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;
