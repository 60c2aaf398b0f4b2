import fc from 'fast-check';
import { CARD_KINDS, type CardKind, TIER_OF_KIND } from '../src/contracts/names';
import { DEFAULT_POLICY, mergePolicy } from '../src/domain/policy';
import { expiringKinds, expiryOnceRestored } from '../src/domain/retention';

const horizon = fc.option(fc.constantFrom('P1D', 'P30D', 'PT1H'));
const byKind = fc.record(
  Object.fromEntries(CARD_KINDS.map((kind) => [kind, horizon])),
) as fc.Arbitrary<Record<CardKind, string | null>>;
const moment = fc.date({
  min: new Date('2026-01-01'),
  max: new Date('2027-01-01'),
  noInvalidDate: true,
});

it('nor procedural ones: only a kind that the policy names does; episodic ones by their time', () => {
  expect(expiringKinds(DEFAULT_POLICY.retention.by_kind)).toEqual([
    'experience',
    'constraint',
    'delegation',
  ]);
  fc.assert(
    fc.property(byKind, (horizons) => {
      const kinds = expiringKinds(horizons);
      for (const kind of CARD_KINDS) {
        const leaves = TIER_OF_KIND[kind] === 'episodic' || horizons[kind] !== null;
        expect(kinds.includes(kind)).toBe(leaves);
      }
    }),
  );
});

it('one that is brought back is never over again at once, and keeps a time that has not come', () => {
  fc.assert(
    fc.property(
      byKind,
      fc.constantFrom(...CARD_KINDS),
      fc.option(moment),
      moment,
      (horizons, kind, expiresAt, now) => {
        const policy = mergePolicy({ retention: { by_kind: horizons } });
        const anew = expiryOnceRestored({ kind, expiresAt }, policy, now);
        if (anew !== null) expect(anew.getTime()).toBeGreaterThan(now.getTime());
        if (expiresAt === null || expiresAt > now) expect(anew).toBe(expiresAt);
        else expect(anew === null).toBe(horizons[kind] === null);
      },
    ),
  );
});
