import fc from 'fast-check';
import { HOUR_MS } from '../src/domain/durations';
import { logicalDay } from '../src/domain/pass-day';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  // Half an hour at a change, three quarters of one beside Greenwich, and a day that was left out.
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'Africa/Cairo',
];
const zone = fc.constantFrom(...ZONES);
const instant = fc.date({
  min: new Date('2010-01-01T00:00:00Z'),
  max: new Date('2035-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const DAY = /^\d{4}-\d\d-\d\d$/;
const dayOf = (at: Date, where: string) => logicalDay('consolidation', at, where);
const nextDay = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);

describe('the day of a pass', () => {
  it('is one for each instant: the one that the clocks of the zone show', () => {
    fc.assert(
      fc.property(instant, zone, (at, where) => {
        const day = dayOf(at, where);
        expect(day).toMatch(DAY);
        const shown = new Intl.DateTimeFormat('en-CA', { timeZone: where }).format(at);
        expect(day).toBe(shown);
        expect(logicalDay('recalibration', at, where)).toBe(day.slice(0, 7));
      }),
    );
  });

  it('never goes back, and leaves out none but where the zone itself did', () => {
    fc.assert(
      fc.property(instant, zone, fc.integer({ min: 1, max: 3 * HOUR_MS }), (at, where, ms) => {
        const before = dayOf(at, where);
        const after = dayOf(new Date(at.getTime() + ms), where);
        const isSkipped = where === 'Pacific/Apia' && before === '2011-12-29';
        expect([before, isSkipped ? '2011-12-31' : nextDay(before)]).toContain(after);
      }),
    );
  });

  it('has 23 hours when summer time begins and 25 when it ends', () => {
    const hours = (day: string) => {
      const start = Date.parse(`${day}T00:00:00Z`) - 24 * HOUR_MS;
      const all = Array.from({ length: 96 }, (_, n) => new Date(start + n * HOUR_MS));
      return all.filter((at) => dayOf(at, 'Europe/Berlin') === day).length;
    };
    expect([hours('2026-03-29'), hours('2026-07-01'), hours('2026-10-25')]).toEqual([23, 24, 25]);
  });

  it('is that of the moment it was planned for, however late it begins', () => {
    // Two in the morning in Berlin, planned for before midnight UTC.
    expect(dayOf(new Date('2026-06-30T22:00:00Z'), 'Europe/Berlin')).toBe('2026-07-01');
    expect(dayOf(new Date('2026-12-31T22:59:59Z'), 'Europe/Berlin')).toBe('2026-12-31');
    expect(logicalDay('recalibration', new Date('2026-12-31T23:00:00Z'), 'Europe/Berlin')).toBe(
      '2027-01',
    );
  });
});
