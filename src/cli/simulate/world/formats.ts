/** Ways to write one value. A format is told by its name in messages and by its look in inputs. */
export interface Family {
  param: string;
  formats: readonly {
    name: string;
    looks: RegExp;
    write: (datum: number) => string;
  }[];
}

/** Days after 2026-03-01. */
function date(datum: number): [string, string, string] {
  const day = new Date(Date.UTC(2026, 2, 1 + datum));
  return [
    String(day.getUTCFullYear()),
    String(day.getUTCMonth() + 1).padStart(2, '0'),
    String(day.getUTCDate()).padStart(2, '0'),
  ];
}

const COUNTRIES = [
  ['DE', 'DEU', 'Germany'],
  ['FR', 'FRA', 'France'],
  ['PL', 'POL', 'Poland'],
  ['NO', 'NOR', 'Norway'],
  ['IE', 'IRL', 'Ireland'],
] as const;

function country(datum: number, form: 0 | 1 | 2): string {
  return COUNTRIES[datum % COUNTRIES.length]?.[form] ?? 'DE';
}

const NAMES = COUNTRIES.map((row) => row[2]).join('|');

export const FAMILIES: readonly Family[] = [
  {
    param: 'due_date',
    formats: [
      {
        name: 'YYYY-MM-DD',
        looks: /^\d{4}-\d{2}-\d{2}$/,
        write: (datum) => date(datum).join('-'),
      },
      {
        name: 'DD.MM.YYYY',
        looks: /^\d{2}\.\d{2}\.\d{4}$/,
        write: (datum) => date(datum).reverse().join('.'),
      },
      {
        name: 'MM/DD/YYYY',
        looks: /^\d{2}\/\d{2}\/\d{4}$/,
        write: (datum) => {
          const [year, month, day] = date(datum);
          return `${month}/${day}/${year}`;
        },
      },
    ],
  },
  {
    param: 'hold_for',
    formats: [
      { name: 'ISO-8601', looks: /^PT\d+M$/, write: (datum) => `PT${15 + datum}M` },
      { name: 'minutes', looks: /^\d+min$/, write: (datum) => `${15 + datum}min` },
      { name: 'seconds', looks: /^\d+sec$/, write: (datum) => `${(15 + datum) * 60}sec` },
    ],
  },
  {
    param: 'country',
    formats: [
      { name: 'alpha-2', looks: /^[A-Z]{2}$/, write: (datum) => country(datum, 0) },
      { name: 'alpha-3', looks: /^[A-Z]{3}$/, write: (datum) => country(datum, 1) },
      {
        name: 'full-name',
        looks: new RegExp(`^(?:${NAMES})$`),
        write: (datum) => country(datum, 2),
      },
    ],
  },
];
