import fc from 'fast-check';
import { changedClause, changedFields } from '../src/domain/distill/changed-fields';
import { errorSignature } from '../src/domain/distill/error-signature';
import { INPUT_FIELDS_LIMIT, inputFields } from '../src/domain/distill/input-fields';

const signed: readonly (readonly [error: string, signature: string, family: string])[] = [
  [
    'ValueError: Channel External not found in the channels list',
    'Channel … not found in the channels list',
    'not_found',
  ],
  [
    'ValueError: Channel External_ not found in the channels list',
    'Channel … not found in the channels list',
    'not_found',
  ],
  [
    'ValueError: Channel #general not found in the channels list',
    'Channel … not found in the channels list',
    'not_found',
  ],
  [
    'ValueError: User Dora already in the users list',
    'User … already in the users list',
    'conflict',
  ],
  [
    'Error: payment amount does not add up, total price is 608, but paid 304',
    'payment amount does not add up, total price is …, but paid …',
    'validation',
  ],
  [
    'Error: flight HAT030 not available on date 2024-05-13',
    'flight … not available on date …',
    'unavailable',
  ],
  ['Error: not enough seats on flight HAT290', 'not enough seats on flight …', 'insufficient'],
  [
    "TypeError: get_channels() got an unexpected keyword argument 'channel'",
    'get_channels() got an unexpected keyword argument …',
    'validation',
  ],
  ['429 Too Many Requests', '… Too Many Requests', 'rate_limit'],
  ['ETIMEDOUT connecting to 10.0.0.5:443', 'ETIMEDOUT connecting to …', 'timeout'],
  ['agent stopped without a final answer', 'agent stopped without a final answer', 'unfinished'],
  ['Unauthorized: token expired', 'Unauthorized: token expired', 'auth'],
  ['AccessDenied: not allowed to write', 'AccessDenied: not allowed to write', 'permission'],
  ['connect ECONNREFUSED', 'connect ECONNREFUSED', 'unavailable'],
];

test.each(signed)('%s', (error, signature, family) => {
  expect(errorSignature(error)).toEqual({ signature, family });
});

test('a validation report is its field and complaint', () => {
  const report =
    '1 validation error for Transaction\namount\n  Input should be a valid number [type=float_type, input_value=None]\n    For further information visit https://errors.example.org/v';
  expect(errorSignature(`ValidationError: ${report}`)).toEqual({
    signature: 'amount: Input should be a valid number',
    family: 'validation',
  });
});

test('a trace is its last error; a body of an API is its message', () => {
  const trace =
    'Traceback (most recent call last):\n  File "/a/b.py", line 3, in <module>\n    run()\nKeyError: \'price\'';
  expect(errorSignature(trace).signature).toBe('KeyError: …');
  expect(errorSignature({ error: { code: 409, message: 'Lead 77 already exists' } })).toEqual({
    signature: 'Lead … already exists',
    family: 'conflict',
  });
});

test('an everyday word is masked where its field names it', () => {
  expect(errorSignature('channel random not found', { channel: 'random' }).signature).toBe(
    'channel … not found',
  );
  expect(errorSignature('not found in the list', { name: 'list' }).signature).toBe(
    'not found in the list',
  );
});

test('no error, no signature', () => {
  expect(errorSignature(null)).toEqual({ signature: null, family: null });
  expect(errorSignature(undefined)).toEqual({ signature: null, family: null });
  expect(errorSignature('')).toEqual({ signature: null, family: null });
});

test('the same fault on another numbered thing has the same signature', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1e6 }), fc.integer({ min: 10, max: 1e6 }), (a, b) => {
      const sign = (n: number) =>
        errorSignature(`order #W${n} of user_${n} costs ${n}.50, which is not valid`).signature;
      expect(sign(a)).toBe(sign(b));
    }),
  );
});

describe('input fields', () => {
  const event = (input: unknown) =>
    ({
      event_id: 'e',
      kind: 'service_call',
      agent: 'a',
      outcome: 'worked',
      occurred_at: '2024-01-01T00:00:00Z',
      input,
    }) as Parameters<typeof inputFields>[0];

  test('are scalars by path, from data and from text that holds data', () => {
    const data = { origin: 'JFK', payment_methods: [{ amount: 304 }], note: null, ok: true };
    const fields = { origin: 'JFK', 'payment_methods.0.amount': '304', note: 'null', ok: 'true' };
    expect(inputFields(event(data))).toEqual(fields);
    expect(inputFields(event(JSON.stringify(data)))).toEqual(fields);
    expect(
      inputFields(
        event("{'origin': 'JFK', 'payment_methods': [{'amount': 304}], 'note': None, 'ok': True}"),
      ),
    ).toEqual(fields);
  });

  test('of a command are its words', () => {
    expect(inputFields(event('calculate 825 - 533'))).toEqual({
      'word.0': 'calculate',
      'word.1': '825',
      'word.2': '-',
      'word.3': '533',
    });
  });

  test('stay within their limit for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue({ maxDepth: 5 }), fc.string({ unit: 'binary', maxLength: 4_000 })),
        (input) => {
          const fields = inputFields(event(input));
          expect(Buffer.byteLength(JSON.stringify(fields))).toBeLessThanOrEqual(INPUT_FIELDS_LIMIT);
          for (const value of Object.values(fields)) expect(typeof value).toBe('string');
        },
      ),
    );
  });
});

describe('changed fields', () => {
  test('are what differs, told by name', () => {
    const changes = changedFields(
      { origin: 'JFK', 'payment_methods.0.amount': '304', cabin: 'economy' },
      { origin: 'JFK', 'payment_methods.0.amount': '608', seat: '4A' },
    );
    expect(changes).toEqual([
      { field: 'payment_methods.0.amount', before: '304', after: '608' },
      { field: 'seat', before: '', after: '4A' },
      { field: 'cabin', before: 'economy', after: '' },
    ]);
    expect(changedClause(changes.slice(0, 1))).toBe('payment amount 304 → 608');
    expect(changedClause([])).toBeNull();
  });

  test('of an input with itself are none; both ways they are the same fields', () => {
    const record = fc.dictionary(fc.string(), fc.string());
    fc.assert(
      fc.property(record, record, (a, b) => {
        expect(changedFields(a, a)).toEqual([]);
        const there = changedFields(a, b)
          .map((change) => change.field)
          .sort();
        expect(
          changedFields(b, a)
            .map((change) => change.field)
            .sort(),
        ).toEqual(there);
      }),
    );
  });
});
