import type { InsightOrigin, Severity } from '../../../contracts/insight';
import type { Deed, Kept, Restaurant } from './numbers';

const LUNCH_COOK = 'Start the second lunch cook at 11:30 instead of 10:00';
const SHORT_MENU = 'Cut the menu to twenty dishes';
const WEIGH_WASTE = 'Weigh what is thrown away, every night at close';
const FREE_DESSERT = 'Void the dessert of every table that waited';

export const DEEDS: readonly Deed[] = [
  deed('harbor', LUNCH_COOK, 3, 'labor_percent', 0.87),
  deed('mill', LUNCH_COOK, 5, 'labor_percent', 0.9),
  deed('garden', LUNCH_COOK, 7, 'labor_percent', 0.86),
  deed('harbor', SHORT_MENU, 4, 'average_check', 0.9),
  deed('mill', SHORT_MENU, 6, 'average_check', 0.92),
  // Nobody looked at the figures there, so nothing came of it.
  deed('mill', WEIGH_WASTE, 4, 'food_waste', 1),
  deed('garden', WEIGH_WASTE, 6, 'food_waste', 0.78),
  deed('harbor', FREE_DESSERT, 3, 'voids', 1.3),
  deed('mill', FREE_DESSERT, 6, 'voids', 1.45),
  deed('garden', FREE_DESSERT, 8, 'voids', 1.25),
];

/** As somebody had put them down, before anything was known of them. */
export const ALL_ACTIONS: readonly string[] = [FREE_DESSERT, SHORT_MENU, WEIGH_WASTE, LUNCH_COOK];

/** What is told of a number that is looked at. */
export interface Matter {
  title: string;
  domain: string;
  severity: Severity;
  origin: InsightOrigin;
  finding(value: number, week: { sales: number }): string;
}

const dollars = (amount: number) => `$${Math.round(amount).toLocaleString('en-US')}`;
/** Of sales; what the group aims at. */
const LABOR_AIM = 31;

export const MATTERS: Readonly<Partial<Record<Kept, Matter>>> = {
  labor_percent: {
    title: 'labor runs high',
    domain: 'labor',
    severity: 'high',
    origin: 'chat_pin',
    finding: (value, { sales }) =>
      `Labor is ${value} % of sales, and the aim is ${LABOR_AIM} %: ` +
      `${dollars(((value - LABOR_AIM) / 100) * sales)} a week more than planned.`,
  },
  average_check: {
    title: 'guests find nothing new on the menu',
    domain: 'menu',
    severity: 'medium',
    origin: 'user_explore',
    finding: (value, { sales }) =>
      `The average check is $${value.toFixed(2)}; ten dishes out of forty make most of ${dollars(sales)} a week.`,
  },
  food_waste: {
    title: 'much is thrown away',
    domain: 'inventory',
    severity: 'medium',
    origin: 'manual_trigger',
    finding: (value) => `Food worth ${dollars(value)} a week is thrown away.`,
  },
  voids: {
    title: 'voids are frequent',
    domain: 'service',
    severity: 'low',
    origin: 'automated_run',
    finding: (value) =>
      `Voided items come to ${dollars(value)} a week; most are of tables that waited.`,
  },
};

function deed(
  restaurant: Restaurant,
  action: string,
  week: number,
  changes: Kept,
  by: number,
): Deed {
  return { restaurant, action, week, changes, by };
}
