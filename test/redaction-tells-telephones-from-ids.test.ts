import type { Json } from '../src/contracts/event';
import { classifyIdentifier } from '../src/redaction/identifier';
import { redactJson } from '../src/redaction/json';
import { redactText } from '../src/redaction/scanner';
import { optionsOf } from './support/secret-strings';

const options = optionsOf();
/** Ten digits that a numbering plan has, and that a shop may have given to an item as well. */
const NUMBER = '4155552671';

test.each([NUMBER, ` ${NUMBER}\n`, '5321234567', '2121234567', '３１２１２３４５６７'])(
  'a text that is nothing but a number of a plan: %s',
  (text) => {
    expect(redactText(text, options).value.trim()).toMatch(/^\[PHONE_\w+\]$/);
  },
);

test.each([
  `my new number is ${NUMBER}`,
  `reach me at ${NUMBER}, please`,
  `Desk: ${NUMBER}`,
  `emergency contact ${NUMBER} (Bob)`,
  `she left ${NUMBER} as her number`,
  `${NUMBER} is the best number to reach me`,
  'Anna Meyer, 001-286-282-8890x931, Berlin',
  'Anna Meyer, 75 5136-1341, Recife',
  'Anna Meyer, 8 (493) 407-22-47, Moscow',
  'Anna Meyer, (04214) 85253 888, Bremen',
])('a word or a shape says that it is a telephone: %s', (text) => {
  expect(redactText(text, options).counts).toEqual({ phone: 1 });
});

test.each([
  '4572024853',
  '1738397940',
  `item ${NUMBER}`,
  `my order number is ${NUMBER}`,
  `my confirmation number is ${NUMBER}`,
  `cancelled ${NUMBER}, ordered ${NUMBER}`,
  `the call about order ${NUMBER}`,
  `reached ${NUMBER} rows`,
  'product 0532123456, customer id 0532123456',
  `${NUMBER}, 5321234567`,
])('nothing says so: %s', (text) => {
  expect(redactText(text, options)).toEqual({ value: text, counts: {} });
});

const KEPT: Json[] = [
  { output: NUMBER },
  { item_ids: [NUMBER, '5321234567'] },
  { [NUMBER]: { price: 12 } },
  { order: { number: NUMBER } },
  [NUMBER],
];

test.each(KEPT.map((value) => [JSON.stringify(value), value] as const))(
  'a member is named by its key, and this is no telephone: %s',
  (_, value) => {
    expect(redactJson(value, options)).toEqual({ value, counts: {} });
  },
);

test('an identifier of ten digits is one', () => {
  expect(classifyIdentifier(NUMBER, options)).toMatchObject({ secret: false, contact: null });
});

test('the number of an account is the account, not a telephone', () => {
  expect(redactText("'Bank Account Number': '0789765432'", options)).toEqual({
    value: "'Bank Account Number': '[REDACTED_IBAN]'",
    counts: { iban: 1 },
  });
});
