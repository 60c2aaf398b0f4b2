import { redactText } from '../src/redaction/scanner';
import { optionsOf } from './support/secret-strings';

const options = optionsOf();
const SHOWN = '[REDACTED_PASSWORD]';

/** With the signs that passwords end with as sentences do. */
const ENDS = ['!', '!!', '?!', '.!'];
const passwords = ENDS.map((end) => ['hunt', 'er2', 'Xy9', end].join(''));

const AS_A_VALUE: [string, (password: string) => string][] = [
  ['after a colon', (p) => `password: ${p}`],
  ['in a line of several', (p) => `user: app\npassword: ${p}\nhost: db`],
  ['in the environment', (p) => `export DB_PASSWORD=${p}`],
  ['in a connection string', (p) => `Server=db;Password=${p};Encrypt=yes`],
  ['in a query', (p) => `https://x.example/login?password=${p}&next=b`],
  ['in a tag', (p) => `<password>${p}</password>`],
  ['under the name of a secret', (p) => `client_secret = ${p}`],
  ['in a sentence', (p) => `I set the password to ${p} for you.`],
  ['at the end of a sentence', (p) => `The password is ${p}`],
  ['in brackets', (p) => `(password: ${p})`],
  ['in German', (p) => `Das Passwort lautet ${p}`],
];

describe.each(AS_A_VALUE)('a password %s', (_, write) => {
  it.each(passwords)('goes with the sign at its end: %s', (password) => {
    const { value } = redactText(write(password), options);
    expect(value.replace(/\[REDACTED_(?:PASSWORD|TOKEN)\]/, password)).toBe(write(password));
    expect(value).not.toBe(write(password));
  });
});

it('leaves a question mark to a question, and takes it as the end of a value', () => {
  const password = ['hunt', 'er2', 'Xy9'].join('');
  const shown = (text: string) => redactText(text, options).value;
  expect(shown(`password: ${password}?`)).toBe(`password: ${SHOWN}`);
  expect(shown(`Is the password ${password}?`)).toBe(`Is the password ${SHOWN}?`);
});

it.each([
  [(p: string) => `The password is ${p}.`, `The password is ${SHOWN}.`],
  [(p: string) => `The password is ${p}, not another.`, `The password is ${SHOWN}, not another.`],
  [(p: string) => `Password: ${p}. Then restart.`, `Password: ${SHOWN}. Then restart.`],
  [(p: string) => `With password=${p}; it works.`, `With password=${SHOWN}; it works.`],
  [(p: string) => `The password is ${p}!.`, `The password is ${SHOWN}.`],
  [
    (p: string) => `I set the password to ${p}: it works.`,
    `I set the password to ${SHOWN}: it works.`,
  ],
])('a sentence ends as it did', (write, expected) => {
  const password = ['hunt', 'er2', 'Xy9'].join('');
  expect(redactText(write(password), options).value).toBe(expected);
});

it('takes a word that is set for a password, and none that is told', () => {
  const word = ['let', 'me', 'in!'].join('');
  expect(redactText(`DB_PASSWORD=${word}`, options).value).toBe(`DB_PASSWORD=${SHOWN}`);
  for (const text of [
    'Your password: changed!',
    'password: required!',
    'The password was reset!',
  ]) {
    expect(redactText(text, options)).toEqual({ value: text, counts: {} });
  }
});
