import fc from 'fast-check';
import { compareInputs } from '../src/domain/alike-inputs';
import { inputFields } from '../src/domain/distill/input-fields';
import { DEFAULT_POLICY } from '../src/domain/policy';
import { alikeInputs, cosine, textSimilarity } from '../src/domain/similarity';

const fields = fc.dictionary(
  fc.constantFrom('id', 'channel', 'amount', 'cabin', 'flights.0.date', 'flights.1.date', 'body'),
  fc.oneof(
    fc.constantFrom('', 'null', 'External', 'External_0', 'general', '304', '608', '2024-05-20'),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  ),
  { maxKeys: 7 },
);

describe('alike inputs', () => {
  it('is within [0, 1], symmetric, and 1 for the same inputs', () => {
    fc.assert(
      fc.property(fields, fields, (a, b) => {
        const alike = alikeInputs(a, b);
        expect(alike).toBeGreaterThanOrEqual(0);
        expect(alike).toBeLessThanOrEqual(1);
        expect(alikeInputs(b, a)).toBeCloseTo(alike, 12);
        expect(alikeInputs(a, a)).toBe(1);
        expect(compareInputs(a, a)).toMatchObject({ sameThing: true, nearThing: true });
      }),
    );
  });

  it('counts a field that one side lacks against', () => {
    fc.assert(
      fc.property(fields, (a) => {
        expect(alikeInputs(a, { ...a, extra: 'x' })).toBeLessThan(1);
      }),
    );
  });

  it('weighs what names the thing more than how it is done', () => {
    const base = { reservation_id: '4NQLHD', cabin: 'economy' };
    const otherThing = alikeInputs(base, { ...base, reservation_id: 'SI5UKW' });
    const otherWay = alikeInputs(base, { ...base, cabin: 'business' });
    expect(otherWay).toBeGreaterThan(0.75);
    expect(otherThing).toBeLessThan(0.5);
  });

  it('takes a near name for near, and another number of the same shape for another thing', () => {
    expect(compareInputs({ channel: 'External' }, { channel: 'External_0' })).toMatchObject({
      sameThing: false,
      nearThing: true,
    });
    expect(alikeInputs({ reservation_id: 'R1001' }, { reservation_id: 'R1002' })).toBe(0);
    expect(alikeInputs({ order_id: '1001' }, { order_id: '1002' })).toBe(0);
    const amounts = alikeInputs({ amount: '100' }, { amount: '99' });
    expect(amounts).toBeGreaterThan(alikeInputs({ amount: '100' }, { amount: '10' }));
    expect(amounts).toBeLessThanOrEqual(0.5);
  });

  it('compares lists, whatever their order', () => {
    const one = { 'names.0': 'Ann', 'names.1': 'Bob' };
    expect(alikeInputs(one, { 'names.0': 'Bob', 'names.1': 'Ann' })).toBe(1);
    expect(alikeInputs(one, { 'names[0]': 'Ann', 'names[1]': 'Bob' })).toBe(1);
    expect(alikeInputs(one, { 'names.0': 'Bob' })).toBe(0.5);
  });
});

describe('similarity of vectors and of texts', () => {
  const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), {
    minLength: 3,
    maxLength: 3,
  });

  it('cosine is symmetric, bounded, and never NaN', () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        const value = cosine(a, Float32Array.from(b));
        expect(Number.isNaN(value)).toBe(false);
        expect(Math.abs(value)).toBeLessThanOrEqual(1);
        expect(cosine(Float32Array.from(b), a)).toBe(value);
      }),
    );
    expect(cosine([1, 0], [1, 0])).toBe(1);
    expect(cosine([1, 0], [0, 1])).toBe(0);
    expect(cosine([0, 0], [1, 1])).toBe(0);
    expect(cosine([1], [1, 1])).toBe(0);
  });

  it('text similarity is 1 for the same words and 0 for none shared', () => {
    expect(textSimilarity('booked a flight', 'the flight was booked')).toBe(1);
    expect(textSimilarity('booked a flight', 'read the channel')).toBe(0);
    expect(textSimilarity('', '')).toBe(1);
  });
});

test('a number under a plural is a count, and another count is the same work', () => {
  const compared = compareInputs(
    { list: 'june-news', recipients: '250' },
    { list: 'june-news', recipients: '100' },
  );
  expect(compared.nearThing).toBe(true);
  expect(compared.alike).toBeGreaterThanOrEqual(DEFAULT_POLICY.link.alike.satisfies);
});

test('a field that was given empty makes another call of it', () => {
  const event = { event_id: 'a', kind: 'service_call', agent: 'a', outcome: 'worked' } as const;
  const occurred_at = '2026-03-02T08:00:00Z';
  const plain = inputFields({ ...event, occurred_at, input: {} });
  const given = inputFields({ ...event, occurred_at, input: { properties: {} } });
  expect(given).toEqual({ properties: '{}' });
  expect(compareInputs(plain, given).alike).toBeLessThan(DEFAULT_POLICY.link.alike.conflicts);
});
