import fc from 'fast-check';
import type { Json } from '../src/contracts/event';
import { classifyIdentifier } from '../src/redaction/identifier';
import { redactJson } from '../src/redaction/json';
import { REDACTION_FAILED } from '../src/redaction/placeholders';
import { findSpans, MAX_TEXT, redactText } from '../src/redaction/scanner';
import * as secrets from './support/secret-strings';

const options = secrets.optionsOf();

test('no input throws, lone surrogates and control characters included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      redactText(text, options);
      classifyIdentifier(text, options);
      const spans = findSpans(text, options);
      for (const [index, span] of spans.entries()) {
        expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
        expect(span.end).toBeGreaterThan(span.start);
        expect(span.end).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 2000 },
  );
  fc.assert(fc.property(fc.jsonValue(), (value) => void redactJson(value as Json, options)));
});

test('a text over the cap is refused as a whole, and so is an identifier', () => {
  const long = `${secrets.githubToken()} `.padEnd(MAX_TEXT + 1, 'a ');
  expect(redactText(long, options)).toEqual({ value: REDACTION_FAILED, counts: { failed: 1 } });
  expect(redactJson({ note: long }, options).value).toEqual({ note: REDACTION_FAILED });
  expect(classifyIdentifier(long, options).secret).toBe(true);
  expect(() => findSpans(long, options)).toThrow(RangeError);
});

test('a text at the cap is scanned to its end', () => {
  const text = `${`${'word '.repeat(MAX_TEXT / 5)}`.slice(0, MAX_TEXT - 60)} ${secrets.githubToken()}`;
  expect(redactText(text, options).value.endsWith('[REDACTED_TOKEN]')).toBe(true);
});

test('a tag that throws, or is none, hides the text rather than showing it', () => {
  const throwing = secrets.optionsOf({
    tag: () => {
      throw new Error('no key');
    },
  });
  for (const broken of [throwing, secrets.optionsOf({ tag: () => 'short' })]) {
    expect(redactText(`mail ${secrets.email()}`, broken).value).toBe(REDACTION_FAILED);
    expect(redactJson({ a: secrets.email(), b: 'kept' }, broken)).toEqual({
      value: { a: REDACTION_FAILED, b: 'kept' },
      counts: { failed: 1 },
    });
  }
});

test('what is nested too deep is hidden, and the rest is kept', () => {
  let deep: Json = secrets.githubToken();
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  const { value, counts } = redactJson({ deep, note: 'kept' }, options);
  expect(JSON.stringify(value)).toContain(REDACTION_FAILED);
  expect(JSON.stringify(value)).not.toContain(secrets.githubToken());
  expect(value).toMatchObject({ note: 'kept' });
  expect(counts).toEqual({ failed: 1 });
});

test('secrets cut off at an end are caught as far as they go', () => {
  const key = secrets.privateKey();
  for (const cut of [80, 200, key.length - 20]) {
    const { value } = redactText(`here:\n${key.slice(0, cut)}`, options);
    expect(value.trimEnd()).toBe('here:\n[REDACTED_PRIVATE_KEY]');
  }
  expect(redactText(`t ${secrets.jsonWebToken().slice(0, 70)}`, options).value).toBe(
    't [REDACTED_TOKEN]',
  );
});
