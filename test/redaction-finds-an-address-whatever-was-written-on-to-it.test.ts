import fc from 'fast-check';
import { classifyIdentifier } from '../src/redaction/identifier';
import { scanText } from '../src/redaction/scanner';

const OPTIONS = { tag: () => '', names: [], keepContactData: false };
const found = (text: string) => scanText(text, OPTIONS).map(({ type }) => type);
const kept = (text: string, span: { start: number; end: number }) =>
  text.slice(0, span.start) + text.slice(span.end);

const label = fc.stringMatching(/^[a-z]{3,10}$/);
const address = fc
  .tuple(label, label, fc.constantFrom('com', 'org', 'co.uk', 'de', 'io', 'travel'))
  .map(([who, host, ending]) => `${who}@${host}.${ending}`);
const suffix = fc.oneof(
  fc.constantFrom(
    '-x',
    '-17',
    '.17',
    '.2026.11',
    '-Support',
    '-de.',
    '.v2',
    '-1796059234901',
    '-a-b',
  ),
  fc.uuid().map((id) => `-${id}`),
  fc.nat().map((n) => `-${n}`),
  fc.nat().map((n) => `.${n}`),
);

it('an e-mail is found, and nothing but it, whatever was written on to it', () => {
  fc.assert(
    fc.property(address, suffix, fc.constantFrom('', 'see ', 'id='), (mail, after, before) => {
      const text = `${before}${mail}${after}`;
      const [span, ...others] = scanText(text, OPTIONS).filter(({ type }) => type === 'email');
      expect(others).toEqual([]);
      expect(span).toMatchObject({ normalised: mail });
      expect(span && kept(text, span)).toBe(`${before}${after}`);
    }),
    { numRuns: 1_000 },
  );
});

it('an id that holds one is known for it, and is not taken for the address itself', () => {
  const ids = ['joe@example.com-17', 'joe@example.com-18', 'joe@example.com.17', 'joe@example.com'];
  const classes = ids.map((id) => classifyIdentifier(id, OPTIONS));
  for (const one of classes) expect(one).toMatchObject({ secret: false, contact: 'email' });
  expect(new Set(classes.map(({ normalised }) => normalised)).size).toBe(ids.length);
});

it('a telephone number with a point behind it is one, an amount is none', () => {
  expect(found('call +14155552671.17 now')).toEqual(['phone']);
  expect(found('+14155552671-1796059234901')).toContain('phone');
  expect(found('the balance moved by +14155.17 and +1234567890.25')).toEqual([]);
});

it.each([
  'lodash@4.17.21',
  'pkg@1.2.tgz',
  'icon@2x.png',
  'react@next-19.1',
  'logo@app.main.png',
  '@scope/pkg@1.0.0-beta.3',
  'git@example.org:team/repo.git',
])('%s is no address', (text) => {
  expect(found(text)).not.toContain('email');
});
