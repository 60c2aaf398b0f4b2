import fc from 'fast-check';
import {
  confidenceAfterProvenUse,
  confidenceAsSaid,
  confidenceNow,
  initialConfidence,
  isArchivable,
} from '../src/domain/confidence';
import { ageInWords, wholeDays } from '../src/domain/read-time';
import { daysAgo, NOW } from './support/domain-cards';

const confidence = fc.double({ min: 0, max: 1, noNaN: true });

describe('confidence', () => {
  it('starts where the credential says', () => {
    expect(['person', 'runtime', 'agent'].map((who) => initialConfidence(who as 'agent'))).toEqual([
      1, 0.8, 0.6,
    ]);
  });

  it('loses one percent for each day untouched, and is never out of bounds', () => {
    expect(confidenceNow(0.8, 0)).toBe(0.8);
    expect(confidenceNow(0.8, 90)).toBeCloseTo(0.8 * 0.99 ** 90, 12);
    fc.assert(
      fc.property(confidence, fc.nat({ max: 5000 }), (stored, days) => {
        const now = confidenceNow(stored, days);
        expect(now).toBeGreaterThanOrEqual(0);
        expect(now).toBeLessThanOrEqual(stored);
        expect(confidenceNow(stored, days + 1)).toBeLessThanOrEqual(now);
      }),
    );
  });

  it('gains a tenth for a proven use, up to 1', () => {
    expect([0.6, 0.7, 0.95].map(confidenceAfterProvenUse)).toEqual([0.7, 0.8, 1]);
    fc.assert(
      fc.property(confidence, (stored) => {
        const after = confidenceAfterProvenUse(stored);
        expect(after).toBeGreaterThanOrEqual(stored);
        expect(after).toBeLessThanOrEqual(1);
        expect(after).toBe(Number(after.toFixed(4)));
      }),
    );
  });

  it('is as a person says; anybody else may only say less', () => {
    const writer = fc.constantFrom('person' as const, 'runtime' as const, 'agent' as const);
    const before = fc.option(confidence.map((value) => Number(value.toFixed(4))));
    fc.assert(
      fc.property(writer, confidence, before, (who, said, stored) => {
        const after = confidenceAsSaid(who, said, stored);
        expect(Math.abs(after - said)).toBeLessThanOrEqual(after < said ? 1 : 0.00005);
        if (who === 'person') expect(after).toBeCloseTo(said, 4);
        else expect(after).toBeLessThanOrEqual(stored ?? initialConfidence(who));
      }),
    );
  });

  it('proposes to archive only what is both unused and doubted', () => {
    const rule = { unusedDays: 90, below: 0.3 };
    expect(isArchivable({ daysUnused: 90, confidenceNow: 0.29 }, rule)).toBe(true);
    expect(isArchivable({ daysUnused: 89, confidenceNow: 0.1 }, rule)).toBe(false);
    expect(isArchivable({ daysUnused: 400, confidenceNow: 0.3 }, rule)).toBe(false);
  });
});

describe('ages', () => {
  it('are days of the calendar, never below 0', () => {
    expect([0, 0.9, 1, 2.5, -3].map((days) => wholeDays(daysAgo(days), NOW))).toEqual([
      0, 1, 1, 2, 0,
    ]);
    expect([0, 1, 14].map((days) => ageInWords(daysAgo(days), NOW))).toEqual([
      'today',
      '1 day ago',
      '14 days ago',
    ]);
  });
});
