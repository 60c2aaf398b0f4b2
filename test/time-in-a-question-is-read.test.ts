import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from '../src/domain/durations';
import { anchorAsked } from '../src/domain/time-anchor';
import { timeAsked } from '../src/domain/time-question';
import { dateOfDay, instantOf, wallOf } from '../src/domain/zone-time';

const BERLIN = 'Europe/Berlin';
/** Wednesday, 12 June 2024, noon in Berlin. */
const NOW = Date.parse('2024-06-12T12:00:00+02:00');

/** What a clock in Berlin shows at the ends, so that a table can be read. */
function read(query: string, zone = BERLIN, now = NOW): [string, string, boolean] | null {
  const asked = timeAsked(query, now, zone);
  const shown = (at: number | null) =>
    at === null
      ? '-'
      : new Date(wallOf(at, zone))
          .toISOString()
          .slice(0, 16)
          .replace(/T00:00$/, '');
  return asked && [shown(asked.from), shown(asked.until), asked.confident];
}

describe('the time that a question speaks of', () => {
  it.each<[string, string, string]>([
    ['what broke last week?', '2024-06-03', '2024-06-10'],
    ['who called yesterday', '2024-06-11', '2024-06-12'],
    ['the day before yesterday', '2024-06-10', '2024-06-11'],
    ['refunds in May 2023', '2023-05-01', '2023-06-01'],
    ['early May 2023', '2023-05-01', '2023-06-01'],
    ['what did they do last summer?', '2023-06-01', '2023-09-01'],
    ['what was deployed two weeks ago', '2024-05-27', '2024-06-03'],
    ['three years ago', '2021-01-01', '2022-01-01'],
    ['the meeting on 7 May 2023', '2023-05-07', '2023-05-08'],
    ['May 7th, 2023', '2023-05-07', '2023-05-08'],
    ['orders on 2023-05-07', '2023-05-07', '2023-05-08'],
    ['the invoice of 25/5/2023', '2023-05-25', '2023-05-26'],
    ['everything since 2021', '2021-01-01', '-'],
    ['after 7 May 2023', '2023-05-08', '-'],
    ['until the end of May 2023', '-', '2023-06-01'],
    ['prior to 2023', '-', '2023-01-01'],
    ['from 3 to 7 May 2023', '2023-05-03', '2023-05-08'],
    ['between November and February 2024', '2023-11-01', '2024-03-01'],
    ['since May 2023 until yesterday', '2023-05-01', '2024-06-12'],
    ['what happened this month', '2024-06-01', '2024-07-01'],
    ['Q3 2023', '2023-07-01', '2023-10-01'],
    ['the second week of June 2023', '2023-06-08', '2023-06-15'],
    ['over the weekend', '2024-06-08', '2024-06-10'],
    ['on Monday', '2024-06-10', '2024-06-11'],
    ['last Friday', '2024-06-07', '2024-06-08'],
    ['in the last 3 days', '2024-06-09', '2024-06-13'],
    ['errors 3 hours ago', '2024-06-12T08:00', '2024-06-12T10:00'],
    ['last night', '2024-06-11T18:00', '2024-06-12T06:00'],
    ['last May', '2024-05-01', '2024-06-01'],
  ])('%s is surely %s to %s', (query, from, until) => {
    expect(read(query)).toEqual([from, until, true]);
  });

  it.each<[string, string, string]>([
    ['what happened in May?', '2024-05-01', '2024-06-01'],
    ['what happened in July?', '2023-07-01', '2023-08-01'],
    ['since March', '2024-03-01', '-'],
    ['before June', '-', '2024-06-01'],
    ['between May and July', '2024-05-01', '2024-08-01'],
    ['on 29 February', '2024-02-29', '2024-03-01'],
    ['winter 2022', '2022-12-01', '2023-03-01'],
    ['a few days ago', '2024-06-02', '2024-06-13'],
    ['in 2000 orders', '2000-01-01', '2001-01-01'],
    ['photos from May 2023 and from last month', '2023-05-01', '2023-06-01'],
    // Known is only that the event lies within: the period is not cut off.
    ["after last week's outage", '2024-06-03', '-'],
    ['before the May release', '-', '2024-06-01'],
  ])('%s is perhaps %s to %s', (query, from, until) => {
    expect(read(query)).toEqual([from, until, false]);
  });

  it.each([
    'When did we pay the invoice?',
    'when was the last order?',
    'may I book it for 7 people',
    'if 7 may fail',
    'we march to the office',
    'three boxes sat on 7 pallets',
    'sun exposure on the roof',
    'every Monday',
    'the last time it failed',
    'which rule applies before booking',
    'the song "Summer 2023"',
    'created_in_may',
    'order 4NQLHD',
    '5/7/2023',
    '',
  ])('%s names none', (query) => {
    expect(timeAsked(query, NOW, BERLIN)).toBeNull();
  });

  it('gives the words as they stand in the query', () => {
    const phrase = (query: string) => timeAsked(query, NOW, BERLIN)?.phrase;
    expect(phrase('What broke Last Week, and why?')).toBe('Last Week');
    expect(phrase('what broke between May and July?')).toBe('between May and July');
    expect(phrase('who came on 7 May 2023?')).toBe('on 7 May 2023');
  });
});

describe('the zone of the workspace', () => {
  it.each<[string, string, string, number]>([
    // The days on which the clocks change have 23 and 25 hours.
    [BERLIN, '31 March 2024', '2024-03-31T00:00:00+01:00', 23],
    [BERLIN, '27 October 2024', '2024-10-27T00:00:00+02:00', 25],
    ['America/New_York', '10 March 2024', '2024-03-10T00:00:00-05:00', 23],
    ['Australia/Lord_Howe', '7 April 2024', '2024-04-07T00:00:00+11:00', 24.5],
    ['Asia/Kathmandu', '7 May 2023', '2023-05-07T00:00:00+05:45', 24],
    // Midnight does not exist: the day begins at one.
    ['America/Sao_Paulo', '4 November 2018', '2018-11-04T01:00:00-02:00', 23],
    // Midnight exists twice: the day begins at the first.
    ['America/Havana', '3 November 2024', '2024-11-03T00:00:00-04:00', 25],
  ])('%s: %s begins at %s and has %d hours', (zone, date, from, hours) => {
    const asked = timeAsked(`on ${date}`, NOW, zone);
    expect(asked?.from).toBe(Date.parse(from));
    expect(((asked?.until ?? 0) - (asked?.from ?? 0)) / HOUR_MS).toBe(hours);
  });

  it('leaves out the day that Samoa left out', () => {
    expect(timeAsked('on 30 December 2011', NOW, 'Pacific/Apia')).toBeNull();
    expect(timeAsked('on 31 December 2011', NOW, 'Pacific/Apia')).not.toBeNull();
  });

  it('has another yesterday at the other end of the world', () => {
    const now = Date.parse('2024-06-12T11:00:00Z');
    expect(read('yesterday', 'Pacific/Kiritimati', now)).toEqual([
      '2024-06-12',
      '2024-06-13',
      true,
    ]);
    expect(read('yesterday', 'Pacific/Pago_Pago', now)).toEqual(['2024-06-11', '2024-06-12', true]);
  });

  it('knows on which side summer is where the clocks tell', () => {
    expect(read('last summer', 'Australia/Sydney')).toEqual(['2023-12-01', '2024-03-01', true]);
    expect(read('last summer', 'UTC')).toEqual(['2023-06-01', '2023-09-01', false]);
  });

  it('refuses a zone that is none', () => {
    expect(() => timeAsked('yesterday', NOW, 'Nowhere/Land')).toThrow(RangeError);
  });

  it('turns what a clock shows back into the instant', () => {
    const zones = fc.constantFrom(
      BERLIN,
      'UTC',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    );
    const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) });
    fc.assert(
      fc.property(instants, zones, (instant, zone) => {
        const wall = wallOf(instant, zone);
        const first = instantOf(wall, zone);
        // An hour that comes twice is read as its first.
        expect(wallOf(first, zone)).toBe(wall);
        expect(instant - first).toBeGreaterThanOrEqual(0);
        expect(instant - first).toBeLessThanOrEqual(DAY_MS);
      }),
    );
  });
});

/** Texts that are mostly made of what the reader looks for. */
const timely = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'in on since before after between and to from until by the last next this past two 3 31 2023 May march June Friday weekend week weeks ago day of few a summer quarter first Q3 night yesterday morning - , . "'.split(
          ' ',
        ),
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 14 },
  )
  .map((words) => words.join(' '));
const anyText = fc.oneof(timely, fc.string({ unit: 'binary', maxLength: 200 }));
const anyZone = fc.constantFrom(
  BERLIN,
  'UTC',
  'America/Sao_Paulo',
  'Australia/Sydney',
  'Pacific/Apia',
);
const anyNow = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2060, 0, 1) });

describe('whatever the text', () => {
  it('a reading is half open, never empty, the same each time, and quotes the query', () => {
    fc.assert(
      fc.property(anyText, anyNow, anyZone, (query, now, zone) => {
        const asked = timeAsked(query, now, zone);
        expect(timeAsked(query, now, zone)).toEqual(asked);
        if (asked === null) return;
        expect(asked.from !== null || asked.until !== null).toBe(true);
        if (asked.from !== null && asked.until !== null) {
          expect(asked.from).toBeLessThan(asked.until);
        }
        expect(asked.phrase.length).toBeGreaterThan(0);
        expect(query).toContain(asked.phrase);
      }),
      { numRuns: 2_000 },
    );
  });

  it('no clock is asked but the one given', () => {
    const readings = ['1971-02-03T04:05:06Z', '2055-11-30T23:59:59Z'].map((systemTime) => {
      jest.useFakeTimers({ now: Date.parse(systemTime) });
      return ['last week', 'in May', 'since Monday', '3 hours ago'].map((query) => read(query));
    });
    jest.useRealTimers();
    expect(readings[0]).toEqual(readings[1]);
    expect(readings[0]).not.toContain(null);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -8.64e15, 8.64e15])(
    'a clock of %d reads nothing',
    (now) => {
      expect(timeAsked('yesterday', now, BERLIN)).toBeNull();
    },
  );

  it('a date is read back from however it is written', () => {
    const months =
      'January February March April May June July August September October November December'.split(
        ' ',
      );
    const dates = fc.integer({ min: 0, max: 21_900 }).map(dateOfDay);
    fc.assert(
      fc.property(dates, anyZone, ({ year, month, day }, zone) => {
        const name = months[month] ?? '';
        const iso = new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
        const forms = [`on ${day} ${name} ${year}`, `${name} ${day}, ${year}`, `on ${iso}`];
        const readings = forms.map((form) => timeAsked(form, NOW, zone));
        expect(new Set(readings.map((one) => `${one?.from} ${one?.until}`)).size).toBe(1);
        const from = readings[0]?.from;
        if (from !== undefined && from !== null) {
          expect(new Date(wallOf(from, zone)).toISOString().slice(0, 10)).toBe(iso);
        }
      }),
    );
  });

  it('a month without its year is one that has begun', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('January', 'May', 'October', 'December'),
        anyNow,
        (month, now) => {
          const asked = timeAsked(`in ${month}`, now, BERLIN);
          expect(asked?.from).toBeLessThanOrEqual(now);
          expect(asked?.until).toBeGreaterThan(now - 366 * DAY_MS);
        },
      ),
    );
  });
});

describe('the event that a question relates to', () => {
  it.each<[string, string, string]>([
    ['what did we change before the outage?', 'before', 'outage'],
    ['who deployed after the deploy to staging', 'after', 'deploy to staging'],
    ['what was said during Anna’s visit?', 'during', 'Anna’s visit'],
    ["after last week's outage, who came?", 'after', "last week's outage"],
    ['what happened before the May release?', 'before', 'May release'],
    ['since the migration', 'after', 'migration'],
    ['what did Bob buy after his trip to Paris in May?', 'after', 'trip to Paris'],
    ['prior to the merger with Acme', 'before', 'merger with Acme'],
    ['the day after the party', 'after', 'party'],
    ['at the time of the crash', 'during', 'crash'],
  ])('%s: %s "%s"', (query, relation, anchor) => {
    expect(anchorAsked(query)).toEqual({ relation, anchor });
  });

  it.each([
    'before June',
    'after 7 May 2023',
    'during last week',
    'before I go',
    'what should I check before booking a flight',
    'look after the dog',
    'who was named after the founder',
    'after all',
    'the following steps',
    'since when?',
    'after that',
    'after 5 pm',
    '',
  ])('%s relates to none', (query) => {
    expect(anchorAsked(query)).toBeNull();
  });

  it('is a bounded part of the query, whatever the text', () => {
    const words = fc.constantFrom(
      ...'before after during the a Bob outage of to in May , ? since which last week’s'.split(' '),
    );
    const text = fc.oneof(
      anyText,
      fc.array(words, { maxLength: 14 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(text, (query) => {
        const asked = anchorAsked(query);
        expect(anchorAsked(query)).toEqual(asked);
        if (asked === null) return;
        expect(query).toContain(asked.anchor);
        expect(asked.anchor.length).toBeGreaterThan(0);
        expect(asked.anchor.length).toBeLessThanOrEqual(120);
      }),
      { numRuns: 1_000 },
    );
  });
});
